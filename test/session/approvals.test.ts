// Questions for a person: one answer each, for one call, for some minutes.
import { expect, it } from 'vitest';
import { APPROVAL_MS, Approvals } from '../../src/session/rules/approvals.ts';

const question = { about: ['this call'], rule: 'r' };

it('are answered once', () => {
  const approvals = new Approvals();
  const id = approvals.ask(question, 'ann');
  expect(approvals.take(id, 'ann')).toMatchObject(question);
  expect(approvals.take(id, 'ann')).toBeUndefined();
});

it('are no business of other callers, who cannot close them either', () => {
  const approvals = new Approvals();
  const id = approvals.ask(question, 'ann');
  expect(approvals.take(id, 'bob')).toBeUndefined();
  expect(approvals.take(id, 'ann')).toMatchObject(question);
});

it('have ids that nobody can guess', () => {
  const approvals = new Approvals();
  const ids = Array.from({ length: 10 }, () => approvals.ask(question, 'ann'));
  expect(new Set(ids).size).toBe(10);
  for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(24);
  expect(approvals.take(`${ids[0]}x`, 'ann')).toBeUndefined();
});

it('expire', () => {
  let now = 0;
  const approvals = new Approvals(() => now);
  const id = approvals.ask(question, 'ann');
  now = APPROVAL_MS;
  expect(approvals.take(id, 'ann')).toBeUndefined();
});

it('are few: one caller pushes out its own oldest, never those of others', () => {
  const approvals = new Approvals();
  const other = approvals.ask(question, 'bob');
  const ids = Array.from({ length: 25 }, () => approvals.ask(question, 'ann'));
  expect(ids.map(id => approvals.take(id, 'ann') !== undefined)).toEqual([
    ...Array(5).fill(false),
    ...Array(20).fill(true),
  ]);
  expect(approvals.take(other, 'bob')).toMatchObject(question);
});
