// What the tabs ask a person that no picture shows: lists, date fields, dialogs, file choosers.
import { signal } from '@preact/signals';
import type { Control, ControlValue } from '../../surfaces/view/protocol.ts';
import { ask, on } from '../wire/connection.ts';
import { lease } from './lease.ts';

/** By session and tab. */
const open = signal<ReadonlyMap<string, Control[]>>(new Map());

const keyOf = (session: string, tab: number): string => `${tab} ${session}`;

export const controlsOf = (session: string, tab: number): Control[] => open.value.get(keyOf(session, tab)) ?? [];

export async function answer(session: string, tab: number, control: string, value: ControlValue): Promise<void> {
  const held = lease.value;
  if (held?.session === session) await ask({ type: 'answer', session, tab, lease: held.id, control, value });
}

export function startControls(): void {
  on('hello', () => {
    open.value = new Map();
  });
  on('controls', ({ session, tab, controls }) => {
    const all = new Map(open.value);
    if (controls.length > 0) all.set(keyOf(session, tab), controls);
    else all.delete(keyOf(session, tab));
    open.value = all;
  });
}
