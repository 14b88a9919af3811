// One option: its type, and the ways to write a row of the table.
import { type OptionKind, type Surroundings, toggle } from './kinds.ts';

export const SECTIONS = ['Browser', 'Page', 'Folders', 'Limits', 'Server', 'Sessions', 'Rules', 'HTTP'] as const;

export interface Option<T = unknown> {
  section: (typeof SECTIONS)[number];
  kind: OptionKind<T>;
  help: string;
  /** The value when nothing is given; a function sees the options above it in the table. */
  default: T | ((place: Surroundings, above: Readonly<Record<string, unknown>>) => T);
  /** What the docs print instead of a default that depends on the machine. */
  defaultText?: string;
  /** Chooses what runs on this machine or who may reach it: a config file that lies in a working folder may not say it. */
  trusted?: true;
  /** Names the config file, so it cannot stand in one. */
  notInFile?: true;
  /** Options that make no sense together with this one. */
  without?: readonly string[];
}

type Row<T> = Pick<Option<T>, 'section' | 'help'> & Partial<Option<T>>;

/** An option with a default value. */
export const set = <T>(kind: OptionKind<T>, value: Option<T>['default'], row: Row<T>): Option<T> => ({
  kind,
  default: value,
  ...row,
});
/** An option that may stay unset. */
export const maybe = <T>(kind: OptionKind<T>, row: Row<T | undefined>): Option<T | undefined> => ({
  kind,
  default: undefined,
  ...row,
});
/** A switch that is off by default. */
export const off = (row: Row<boolean>): Option<boolean> => set(toggle, false, row);
