// Our functions as text, for scripts that run inside a page.

/** Declares the functions. Some compilers wrap functions in __name(…), so that is declared as well and does nothing. */
export const declarations = (functions: readonly ((...args: never[]) => unknown)[]): string =>
  ['const __name = f => f;', ...functions].join('\n');
