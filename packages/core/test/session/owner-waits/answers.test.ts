import { expect, test } from 'vitest';
import { given, type PastEvent } from '../../../src/testing/index.ts';
import { type Call, failed, handshake, play } from '../../story.ts';
import { NEW_COMMIT, runOf } from '../../verify/builds.ts';

const ids = (past: readonly PastEvent[]): string[] =>
  given(past)
    .when('view', {}, 'owner')
    .reply()
    .waits.map(({ wait_id, blocking }) => (blocking ? wait_id : `(${wait_id})`));

const asks = (text: string, targets: readonly string[] = ['agent_a', 'agent_b']): Call => [
  'owner',
  'ask',
  { targets, text },
];
const answers = (by: 'agent_a' | 'agent_b', intervention_id = 'i_1'): Call => [
  by,
  'answer_intervention',
  { intervention_id, text: 'It is not mine.' },
];

/** def_1 is assigned to agent_b. */
const asked = play(failed, [asks('Who mends def_1, and why?')]);
const answered = play(asked, [answers('agent_b')]);

test('an answer waits if the assignee of the defect gives the answer, and the question names the defect', () => {
  expect(ids(asked)).toEqual([]);
  expect(ids(play(asked, [answers('agent_a')]))).toEqual([]);
  expect(ids(answered)).toEqual(['(ANSWER:def_1)']);
  expect(ids(play(failed, [asks('Who mends it? Not def_11.'), answers('agent_b')]))).toEqual([]);
});

test.each<[string, Call]>([
  ['assigned to the other builder', ['owner', 'reassignDefect', { defect_id: 'def_1', role: 'agent_a' }]],
  ['waived', ['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Known.' }]],
  ['named in a directive', ['owner', 'direct', { targets: ['agent_b'], text: 'Fix def_1.' }]],
  ['named in a later question', asks('Why is def_1 not yours?')],
])('an answer stops waiting when the defect is %s', (_how, call) => {
  expect(ids(play(answered, [call]))).toEqual([]);
});

test('an answer waits until the defect is marked as fixed, and not again after a failed rerun', () => {
  const fixed = play(answered, [
    handshake('agent_b', { commit: NEW_COMMIT }),
    ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks the row.' }],
  ]);
  expect(ids(fixed)).toEqual([]);
  expect(ids(play(fixed, runOf('test-reserve', 'agent_a', 2, 'FAIL')))).toEqual([]);
});

test('a finding that disputes the defect takes the place of the answer', () => {
  const finding: Call = ['agent_b', 'submit_finding', { text: 'Not mine.', target: 'def_1', blocking: false }];
  expect(ids(play(answered, [finding]))).toEqual(['(DISPUTE:def_1)']);
});
