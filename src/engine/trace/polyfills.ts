// Globals of a browser or a newer Node that the trace engine uses. Imported first by the process that reads traces, and by nothing else.

/** The engine only reads its edges and size. */
class Rect {
  constructor(
    readonly x = 0,
    readonly y = 0,
    readonly width = 0,
    readonly height = 0,
  ) {}
  get left(): number {
    return Math.min(this.x, this.x + this.width);
  }
  get right(): number {
    return Math.max(this.x, this.x + this.width);
  }
  get top(): number {
    return Math.min(this.y, this.y + this.height);
  }
  get bottom(): number {
    return Math.max(this.y, this.y + this.height);
  }
}

const define = (on: object, name: string, value: unknown): void => {
  if (!(name in on)) Object.defineProperty(on, name, { value, configurable: true, writable: true });
};

define(globalThis, 'DOMRect', Rect);

/** Iterator helpers exist since Node 22; the methods of arrays do the same. */
const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object;
for (const name of ['find', 'flatMap', 'reduce', 'slice'] as const)
  define(iterator, name === 'slice' ? 'toArray' : name, function (this: Iterable<unknown>, ...args: unknown[]) {
    return Reflect.apply(Array.prototype[name], [...this], args);
  });
