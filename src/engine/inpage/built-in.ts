// Runs inside the page, in our own script world: properties of elements as the browser defines them.
// A form shows its fields as properties of their names, a document its forms and pictures, instead of their own properties: in every script world.
// Self-contained: these functions are sent as text, so they use nothing but each other and the DOM.

/** The value of a property that no element of the page can replace. */
export function property<T extends object, K extends keyof T>(of: T, key: K): T[K] {
  return showsNames(of) ? (Reflect.get(prototypeWith(of, key), key, of) as T[K]) : of[key];
}

type Arguments<F> = F extends (...args: infer A) => unknown ? A : never;
type Result<F> = F extends (...args: never[]) => infer R ? R : never;

/** Calls a method that no element of the page can replace. */
export function method<T extends object, K extends keyof T>(of: T, key: K, ...args: Arguments<T[K]>): Result<T[K]> {
  return (property(of, key) as (...args: unknown[]) => unknown).apply(of, args) as Result<T[K]>;
}

/** The tag is a symbol, so no name hides it; it is the same in every frame. */
export function showsNames(of: object): boolean {
  const tag = (of as { [Symbol.toStringTag]?: string })[Symbol.toStringTag];
  return tag === 'HTMLFormElement' || tag === 'HTMLDocument';
}

export function prototypeWith(of: object, key: PropertyKey): object {
  let at: object = of;
  do at = Object.getPrototypeOf(at) as object;
  while (!Object.hasOwn(at, key) && Object.getPrototypeOf(at) !== null);
  return at;
}
