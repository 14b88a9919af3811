// The system's keychain, where there is one that works: that of macOS, or that of the Linux desktop through secret-tool.
import { randomBytes } from 'node:crypto';
import { runProgram } from '../../engine/run-program.ts';

/** How a keychain is spoken to: the arguments of its program, and what that reads from stdin. Values never stand in arguments, which every user of the machine can read. */
interface Keychain {
  program: string;
  set(account: string, value: string): { args: string[]; stdin: string };
  get(account: string): string[];
  remove(account: string): string[];
}

const SERVICE = 'tabwright';
const MS = 5_000;

const KEYCHAINS: Partial<Record<NodeJS.Platform, Keychain>> = {
  darwin: {
    program: 'security',
    set: (account, value) => ({
      args: ['-i'],
      stdin: `add-generic-password -U -s ${SERVICE} -a ${account} -w ${value}\n`,
    }),
    get: account => ['find-generic-password', '-s', SERVICE, '-a', account, '-w'],
    remove: account => ['delete-generic-password', '-s', SERVICE, '-a', account],
  },
  linux: {
    program: 'secret-tool',
    set: (account, value) => ({
      args: ['store', '--label', `Tabwright secret ${account}`, 'service', SERVICE, 'account', account],
      stdin: value,
    }),
    get: account => ['lookup', 'service', SERVICE, 'account', account],
    remove: account => ['clear', 'service', SERVICE, 'account', account],
  },
};

/** Keeps the value; gives the name of the entry, or undefined when there is no keychain that gives back what it was given. */
export async function keep(name: string, value: string): Promise<string | undefined> {
  const keychain = KEYCHAINS[process.platform];
  if (!keychain) return undefined;
  // Another state folder may have a secret of the same name.
  const account = `${name}-${randomBytes(6).toString('hex')}`;
  const { args, stdin } = keychain.set(account, encoded(value));
  await runProgram(keychain.program, args, { ms: MS, stdin });
  return (await kept(account)) === value ? account : undefined;
}

/** The value of an entry; undefined when the keychain is locked or has it no more. */
export async function kept(account: string): Promise<string | undefined> {
  const keychain = KEYCHAINS[process.platform];
  if (!keychain) return undefined;
  let output = '';
  const chunk = (bytes: Buffer, stream: string) => {
    if (stream === 'stdout') output += bytes.toString();
  };
  const { ok } = await runProgram(keychain.program, keychain.get(account), { ms: MS, chunk });
  return ok ? Buffer.from(output.trim(), 'base64').toString() : undefined;
}

export async function forget(account: string): Promise<boolean> {
  const keychain = KEYCHAINS[process.platform];
  return keychain !== undefined && (await runProgram(keychain.program, keychain.remove(account), { ms: MS })).ok;
}

/** Letters that no program quotes, prints in another way or cuts. */
const encoded = (value: string): string => Buffer.from(value).toString('base64');
