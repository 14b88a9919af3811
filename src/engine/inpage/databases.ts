// Runs in a page: reads the IndexedDB databases of its origin as plain data, and writes them again.
import { declarations } from './declarations.ts';

/** A value as JSON: one that JSON does not have (dates, maps, bytes, …) is an object with a letter for its kind. */
type Packed = string | number | boolean | null | { [kind: string]: unknown };

interface SavedIndex {
  name: string;
  keyPath: string | string[];
  unique: boolean;
  multiEntry: boolean;
}

interface SavedStore {
  name: string;
  keyPath: string | string[] | null;
  autoIncrement: boolean;
  indexes: SavedIndex[];
  records: [key: Packed, value: Packed][];
}

export interface SavedDatabase {
  name: string;
  version: number;
  stores: SavedStore[];
}

export interface DatabaseBounds {
  databases: number;
  /** Records of one database, and characters of all of them. */
  records: number;
  chars: number;
}

/** Throws for values that cannot be saved, such as crypto keys that may not leave the browser. */
function pack(value: unknown, depth = 0): Packed {
  if (depth > 40) throw new Error('too deep');
  const inner = (item: unknown) => pack(item, depth + 1);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { f: Object.is(value, -0) ? '-0' : String(value) };
  if (value === undefined) return { u: 1 };
  if (typeof value === 'bigint') return { n: String(value) };
  if (Array.isArray(value)) return { a: Array.from(value, inner) };
  if (value instanceof Date) return { d: value.getTime() };
  if (value instanceof Map) return { m: Array.from(value, ([key, item]) => [inner(key), inner(item)]) };
  if (value instanceof Set) return { s: Array.from(value, inner) };
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    const bytes = ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(value);
    return { b: btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')), t: value.constructor.name };
  }
  if (Object.prototype.toString.call(value) !== '[object Object]') throw new Error('of a kind that cannot be kept');
  return { o: Object.entries(value as object).map(([key, item]) => [key, inner(item)]) };
}

function unpack(packed: Packed): unknown {
  if (packed === null || typeof packed !== 'object') return packed;
  const { f, u, n, a, d, m, s, b, t, o } = packed as {
    f?: string;
    u?: 1;
    n?: string;
    a?: Packed[];
    d?: number;
    m?: [Packed, Packed][];
    s?: Packed[];
    b?: string;
    t?: string;
    o?: [string, Packed][];
  };
  if (f !== undefined) return Number(f);
  if (u !== undefined) return undefined;
  if (n !== undefined) return BigInt(n);
  if (a) return a.map(unpack);
  if (d !== undefined) return new Date(d);
  if (m) return new Map(m.map(([key, item]) => [unpack(key), unpack(item)]));
  if (s) return new Set(s.map(unpack));
  if (b !== undefined) {
    const { buffer } = Uint8Array.from(atob(b), char => char.charCodeAt(0));
    const kind = (globalThis as unknown as Record<string, new (bytes: ArrayBuffer) => unknown>)[t ?? ''];
    return t === 'ArrayBuffer' || !kind ? buffer : new kind(buffer);
  }
  return Object.fromEntries((o ?? []).map(([key, item]) => [key, unpack(item)]));
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** A database that was deleted meanwhile is not created again. */
function openExisting(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name);
  request.onupgradeneeded = () => request.transaction?.abort();
  return settled(request);
}

async function readStore(store: IDBObjectStore, most: number): Promise<SavedStore> {
  if ((await settled(store.count())) > most) throw new Error('too many records');
  const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
  return {
    name: store.name,
    keyPath: store.keyPath as string | string[] | null,
    autoIncrement: store.autoIncrement,
    indexes: Array.from(store.indexNames, name => {
      const { keyPath, unique, multiEntry } = store.index(name);
      return { name, keyPath: keyPath as string | string[], unique, multiEntry };
    }),
    records: keys.map((key, at) => [pack(key), pack(values[at])]),
  };
}

async function readOne(name: string, bounds: DatabaseBounds): Promise<SavedDatabase> {
  const database = await openExisting(name);
  // The page may want to upgrade the database meanwhile: then it goes first.
  database.onversionchange = () => database.close();
  try {
    const names = Array.from(database.objectStoreNames);
    const stores: SavedStore[] = [];
    const transaction = names.length > 0 ? database.transaction(names, 'readonly') : undefined;
    for (const store of names)
      if (transaction) stores.push(await readStore(transaction.objectStore(store), bounds.records));
    return { name, version: database.version, stores };
  } finally {
    database.close();
  }
}

/** Whole databases only: one that is too large, or holds a value that cannot be saved, is left out. */
async function readDatabases(bounds: DatabaseBounds): Promise<SavedDatabase[]> {
  const found = await indexedDB.databases();
  const saved: SavedDatabase[] = [];
  let chars = 0;
  for (const { name } of found.slice(0, bounds.databases)) {
    if (name === undefined) continue;
    const database = await readOne(name, bounds).catch(() => undefined);
    const size = database ? JSON.stringify(database).length : 0;
    if (!database || chars + size > bounds.chars) continue;
    chars += size;
    saved.push(database);
  }
  return saved;
}

function fill(database: IDBDatabase, stores: SavedStore[]): void {
  for (const { name, keyPath, autoIncrement, indexes, records } of stores) {
    const store = database.createObjectStore(name, { keyPath, autoIncrement });
    for (const index of indexes)
      store.createIndex(index.name, index.keyPath, { unique: index.unique, multiEntry: index.multiEntry });
    for (const [key, value] of records) {
      if (keyPath === null) store.put(unpack(value), unpack(key) as IDBValidKey);
      else store.put(unpack(value));
    }
  }
}

/** A database whose name the origin already has is left as it is. */
async function writeDatabases(databases: SavedDatabase[]): Promise<void> {
  const existing = (await indexedDB.databases()).map(({ name }) => name);
  for (const { name, version, stores } of databases) {
    if (existing.includes(name)) continue;
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => fill(request.result, stores);
    (await settled(request)).close();
  }
}

const FUNCTIONS = [pack, unpack, settled, openExisting, readStore, readOne, readDatabases, fill, writeDatabases];

const script = (call: string): string => `(() => {
${declarations(FUNCTIONS)}
return ${call};
})()`;

export const readingDatabases = (bounds: DatabaseBounds): string =>
  script(`${readDatabases.name}(${JSON.stringify(bounds)})`);

export const writingDatabases = (databases: SavedDatabase[]): string =>
  script(`${writeDatabases.name}(${JSON.stringify(databases)})`);
