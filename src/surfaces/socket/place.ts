// Where the commands of a user find the servers of that user: a folder with a socket for each. What differs between systems stands here.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs';
import { createConnection, type ListenOptions, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** The name of the server that commands start by themselves; those of `tabwright serve` are called serve-PID. */
export const BACKGROUND = 'background';

/** What a server writes beside its socket. */
export interface SocketOwner {
  pid: number;
  /** The start time of its process: ids are used again. */
  began: string;
  version: string;
}

/** A socket address holds about a hundred bytes; a longer path is reached from its folder. */
const LONGEST_ADDRESS = 100;

const isWindows = process.platform === 'win32';

export const socketFolder = (stateDir: string): string => join(stateDir, 'run');

export const ownerFile = (folder: string, name: string): string => join(folder, `${name}.json`);

const socketFile = (folder: string, name: string): string => join(folder, `${name}.sock`);

/** Makes the folder, and lets nobody else in. */
export function makeSocketFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  isOwn(folder);
  if (!isWindows) chmodSync(folder, 0o700); // it may have been there before
}

/** The servers that have left a file there, in the order in which commands try them: those of `serve`, the newest first, then the background server. */
export function namesIn(folder: string): string[] {
  if (!isOwn(folder)) return [];
  const names = readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .map(file => file.slice(0, -'.json'.length));
  const timeOf = (name: string): number => statSync(ownerFile(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const served = names.filter(name => name.startsWith('serve-')).map(name => ({ name, time: timeOf(name) }));
  return [
    ...served.sort((a, b) => b.time - a.time).map(({ name }) => name),
    ...names.filter(name => name === BACKGROUND),
  ];
}

/** Something between a command and its answer: one line, and an exit code. */
export class ClientError extends Error {
  readonly code: number;
  constructor(message: string, code = 1) {
    super(message);
    this.code = code;
  }
}

/** False when it is not there. What is typed goes only to a server of the same user, wherever the state folder is. */
function isOwn(folder: string): boolean {
  const found = lookAt(folder);
  if (found && process.getuid !== undefined && found.uid !== process.getuid())
    throw new ClientError(`${folder} belongs to another user. Choose another state folder with --state-dir.`);
  return found?.isDirectory() === true;
}

/** Undefined where there is none, or nothing can be seen: who starts a server there is told why. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Undefined for a file that is gone, or was cut off by a full disk. */
export function readOwner(folder: string, name: string): SocketOwner | undefined {
  try {
    const { pid, began, version } = JSON.parse(readFileSync(ownerFile(folder, name), 'utf8'));
    return { pid: Number(pid), began: String(began), version: String(version) };
  } catch {
    return undefined;
  }
}

/** Resolves with undefined when nobody listens there. */
export function connectTo(folder: string, name: string): Promise<Socket | undefined> {
  const socket = at(folder, name, path => createConnection({ path }));
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket.removeAllListeners('error')));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      GONE.includes(error.code ?? '') ? resolve(undefined) : reject(error),
    );
  });
}

/** A pipe that is busy on Windows comes free. */
const GONE = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'ENOTSOCK'];

/** Listens for this user only. Emits the error of the system when it cannot. */
export function listenAt(server: Server, folder: string, name: string): void {
  const options: ListenOptions = { exclusive: true, readableAll: false, writableAll: false };
  const before = process.umask(0o177);
  try {
    at(folder, name, path => server.listen({ ...options, path }));
  } finally {
    process.umask(before);
  }
}

/** Removes what a server leaves there. */
export function removeSocket(folder: string, name: string): void {
  rmSync(ownerFile(folder, name), { force: true });
  if (!isWindows) rmSync(socketFile(folder, name), { force: true });
}

/** The number of the file: another one means that another server listens there now. */
export const socketId = (folder: string, name: string): number | undefined =>
  statSync(isWindows ? ownerFile(folder, name) : socketFile(folder, name), { throwIfNoEntry: false })?.ino;

function at<T>(folder: string, name: string, use: (address: string) => T): T {
  // Pipes of Windows have names instead of paths; only their maker and administrators may write to them.
  if (isWindows) return use(`\\\\.\\pipe\\tabwright-${socketFile(folder, name).replace(/[^\w.-]/g, '-')}`);
  const file = socketFile(folder, name);
  if (Buffer.byteLength(file) <= LONGEST_ADDRESS) return use(file);
  const here = process.cwd();
  process.chdir(folder);
  try {
    return use(`${name}.sock`);
  } finally {
    process.chdir(here);
  }
}
