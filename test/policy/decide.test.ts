// Who may run: by effect, with the rule named.
import { expect, it } from 'vitest';
import { BY_EFFECT, decide } from '../../src/policy/decide.ts';

it('allows every effect by default', () => {
  for (const effect of ['read', 'write', 'danger'] as const) expect(decide(effect)).toEqual({ allow: true });
});

it('names the rule that denies', () => {
  const rules = { ...BY_EFFECT, danger: 'deny' } as const;
  expect(decide('danger', rules)).toEqual({ allow: false, rule: 'no tools of effect "danger"' });
  expect(decide('write', rules)).toEqual({ allow: true });
});
