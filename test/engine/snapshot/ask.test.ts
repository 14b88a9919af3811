// The few nodes that Chrome is asked about, and what its answer changes.
import type { Protocol } from 'devtools-protocol';
import { expect, test } from 'vitest';
import { nameOf } from '../../../src/engine/snapshot/accessibility/names.ts';
import { roleOf } from '../../../src/engine/snapshot/accessibility/roles.ts';
import { statesOf } from '../../../src/engine/snapshot/accessibility/states.ts';
import { applyAxNode, nodesToAsk } from '../../../src/engine/snapshot/capture/capture.ts';
import { byId, h, pageOf } from './build.ts';

const ax = (role: string, name: string, checked?: string): Protocol.Accessibility.AXNode => ({
  nodeId: '1',
  ignored: false,
  role: { type: 'role', value: role },
  name: { type: 'computedString', value: name },
  properties: checked === undefined ? [] : [{ name: 'checked', value: { type: 'tristate', value: checked } }],
});

test('custom elements that can be hit, labels set by script, and checkboxes, in this order', () => {
  const page = pageOf(
    h('input', { attrs: { id: 'box', type: 'checkbox' } }),
    h('button', { attrs: { id: 'script', 'aria-labelledby': '' } }),
    h('my-switch', { attrs: { id: 'custom' }, clickable: true }),
    h('my-layout', { attrs: { id: 'dull' } }),
    h('my-button', { attrs: { id: 'told', role: 'button' }, clickable: true }),
    h('input', { attrs: { id: 'radio', type: 'radio' } }),
    h('my-switch', { attrs: { id: 'hidden' }, clickable: true, unrendered: true }),
  );
  expect(nodesToAsk(page).map(n => n.attrs.id)).toEqual(['custom', 'script', 'box']);
});

test('never more than fifty questions', () => {
  expect(
    nodesToAsk(pageOf(...Array.from({ length: 200 }, () => h('input', { attrs: { type: 'checkbox' } })))),
  ).toHaveLength(50);
});

test('the answer is the role, the name and the state', () => {
  const page = pageOf(
    h('my-switch', { attrs: { id: 'a' }, clickable: true }, 'text'),
    h('input', { attrs: { id: 'b', type: 'checkbox' } }),
  );
  const [custom, box] = [byId(page, 'a'), byId(page, 'b')];
  expect(roleOf(custom)).toBe('generic');
  applyAxNode(custom, ax('switch', ' Night  mode ', 'true'));
  applyAxNode(box, ax('checkbox', 'Some', 'mixed'));
  expect([roleOf(custom), nameOf(custom), statesOf(custom).checked]).toEqual(['switch', 'Night mode', true]);
  expect([roleOf(box), nameOf(box), statesOf(box).checked]).toEqual(['checkbox', 'Some', 'mixed']);
});

test('an answer that says nothing changes nothing', () => {
  const n = byId(pageOf(h('my-thing', { attrs: { id: 'a', tabindex: '0' } })), 'a');
  applyAxNode(n, { nodeId: '1', ignored: true });
  applyAxNode(n, ax('generic', ''));
  expect(roleOf(n)).toBe('generic');
});
