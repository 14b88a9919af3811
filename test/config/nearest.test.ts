// Names that a person may have meant.
import { expect, it } from 'vitest';
import { nearest } from '../../src/config/nearest.ts';

const NAMES = ['click', 'dblclick', 'fill', 'tab_list', 'tab_close'];

it('finds a mistyped name', () => {
  expect(nearest('clik', NAMES)[0]).toBe('click');
  expect(nearest('TAB_LIST', NAMES)).toEqual(['tab_list']);
  expect(nearest('dbl_click', NAMES)[0]).toBe('dblclick');
});

it('finds nothing where nothing is close', () => {
  expect(nearest('screenshot', NAMES)).toEqual([]);
  expect(nearest('', NAMES)).toEqual([]);
  expect(nearest('ab', ['xy'])).toEqual([]);
});
