// Plain objects: without the members that are undefined, and told from other values.

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without members that are undefined: `defined({ name, url })` has no `url` when there is none. */
export const defined = <const T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;

/** True for a plain object, as a JSON object is read; false for a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
