import { expect, test } from 'vitest';
import { foldedAbsences, inboxOf, waitsToSettle } from '../../src/text/inbox.ts';

const wait = (kind: string, blocking: boolean, id: string, since = '2026-11-22T11:00:00Z') => ({
  kind,
  blocking,
  since,
  record: { id },
});

const session = (title: string, waits: readonly ReturnType<typeof wait>[]) => ({
  title,
  status: 'ACTIVE',
  updated_at: '2026-11-22T12:00:00Z',
  waits,
});

const A = wait('AGENT_ABSENT', true, 'agent_a', '2026-11-21T12:00:00Z');
const B = wait('AGENT_ABSENT', false, 'agent_b');
const Q = wait('QUESTION', true, 'q_1');

test('the inbox has what the owner settles first, and folds sessions in which agents are absent', () => {
  const { open, absent } = inboxOf([
    session('nobody joined', [B, A]),
    session('stopped by one', [A]),
    session('asks', [A, B, Q]),
  ]);
  expect(open.map(({ title }) => title)).toEqual(['asks']);
  expect(absent.map(({ title }) => title)).toEqual(['nobody joined', 'stopped by one']);
});

test('an absent agent is folded, and counts as nothing that the owner settles', () => {
  expect(waitsToSettle({ waits: [A, Q, B] })).toEqual([Q]);
  expect(foldedAbsences({ waits: [A, Q, B] })).toEqual([A, B]);
});
