// Where native arguments come from that many of the old tools share: tab, window and frame, selectors, modifiers, numbers in other units.
import { isRecord } from '../../defined.ts';
import type { Source, Sources } from '../definition.ts';

export const onTab: Sources = { tabId: 'tabId' };
export const onWindow: Sources = { ...onTab, windowId: 'windowId' };
export const onFrame: Sources = { ...onWindow, frameId: 'frameId' };

export const selected: Source = [
  { from: 'selector', when: { selectorType: 'xpath' }, convert: selector => `xpath=${selector}` },
  'selector',
];

const KEYS = { altKey: 'Alt', ctrlKey: 'Control', metaKey: 'Meta', shiftKey: 'Shift' };
export const pressed: Source = {
  from: 'modifiers',
  convert: held =>
    isRecord(held) ? Object.entries(KEYS).flatMap(([flag, key]) => (held[flag] === true ? [key] : [])) : held,
};

/** A number in another unit. */
export const scaled = (from: string, factor: number): Source => ({
  from,
  convert: value => (typeof value === 'number' ? value * factor : value),
});
