import { expect, test } from 'vitest';
import { formatRecord } from '../../../../src/cli/print/format-record.ts';
import { answerOf } from '../../../answer-of.ts';
import { fakeTerminal } from '../../../fake-terminal.ts';

const place = {
  nameOf: (role: string) => (role === 'agent_a' ? 'Shop' : role === 'agent_b' ? 'Bank' : role),
  ...{
    consoleUrl: 'http://c',
    sessionId: 'S',
    shownId: 'S',
    latestRevision: 'r_2',
    program: 'parley',
    isOver: false,
    seen: { seen: 40, seen_hash: '0123456789abcdef' },
  },
};
const record = { defect_id: 'def_1', scenario_id: 'v-once', attempt: 1, status: 'OPEN', assigned_to: 'agent_b' };
const AT = '2026-11-27T13:40:41.630Z';
const context = {
  type: 'defect',
  events: [],
  scenarios: [{ scenario_id: 'v-once', title: 'One page', status: 'FAILED', attempt: 1, evidence: [] }],
  contract: {
    revision_id: 'r_2',
    pointer: '/tests/0',
    value: {
      ...{ id: 'v-once', executor: 'agent_b', responsible: 'agent_b', requirements: ['req-3'] },
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
      ...{ given: 'A used key.', when: 'It is sent.', then: 'One page is sent.' },
    },
  },
  attempt: {
    attempt: 1,
    evidence: [
      {
        ...{ message_id: 122, by: 'agent_b', kind: 'log', claim: 'It pages twice.', summary: 'Line 8 is a page too.' },
        ...{ level: 'recorded', commit: '0123456789abcdef' },
        assertions: [
          { name: 'status', passed: true, expected: 200, actual: 200 },
          { name: 'pages', passed: false, expected: 1, actual: 2 },
        ],
      },
      {
        ...{ message_id: 123, by: 'agent_a', kind: 'log', claim: 'Nothing is sent again.' },
        ...{ level: 'claimed', commit: 'fedcba9876543210' },
        ...{
          summary: 'The second page comes from the sweeper.',
          assertions: [{ name: 'sent', passed: true, expected: 1, actual: 1 }],
        },
      },
    ],
    verdict: { by: 'agent_a', verdict: 'FAIL', note: 'Paged twice.' },
  },
  reassigned: [{ message_id: 130, from: 'agent_a', to: 'agent_b', at: AT, reason: 'By its log.' }],
  interventions: [
    {
      ...{ intervention_id: 'i_3', type: 'QUESTION', from: 'owner', status: 'OPEN', text: 'Whose is def_1?' },
      responses: [
        { role: 'agent_a', status: 'ANSWERED', text: 'Not mine.' },
        { role: 'agent_b', status: 'OPEN', text: null },
      ],
    },
  ],
};
const linesOf = (changes: object = {}, isOver = false) =>
  formatRecord(
    answerOf('records', { records: [{ ...record, ...changes }], context }),
    { ...place, isOver },
    fakeTerminal({}, 100),
  );

test('a defect is shown with its test, the evidence, the verdict, what was said about it and the commands', () => {
  const lines = linesOf();
  expect(lines.slice(lines.indexOf('what the contract expects of v-once'), -3)).toEqual([
    'what the contract expects of v-once',
    'run by Bank; proves req-3',
    'by the contract, failures are fixed by Bank; reassigned to Bank, #130, 2026-11-27 13:40 UTC, reason:',
    'By its log.',
    '  given  A used key.',
    '  when   It is sent.',
    '  then   One page is sent.',
    '',
    'v-once/1: One page',
    'Bank, log, recorded, commit 0123456789ab',
    '  It pages twice.',
    '  Line 8 is a page too.',
    '  ✔ status: 200',
    '  ✘ pages: 2 instead of 1',
    'Shop, log, claimed, commit fedcba987654',
    '  Nothing is sent again.',
    '  The second page comes from the sweeper.',
    '  ✔ sent: 1',
    'Shop judges: FAIL',
    '  Paged twice.',
    '',
    'i_3, QUESTION by owner, OPEN',
    '│ Whose is def_1?',
    'Shop answers:',
    '  Not mine.',
    'Bank: OPEN',
    '',
    'leave it with Bank (nothing to do)',
    '  Bank has to fix it.',
    '',
    'or give it to Shop',
    '  Shop has to fix it instead of Bank.',
    'parley reassign-defect S def_1 --role agent_a --reason "..." --seen 40 --seen-hash 0123456789abcdef',
    '',
    'or waive it',
    '  Nobody has to fix it. The scenario can run again, and still has to pass.',
    'parley waive-defect S def_1 --reason "..." --seen 40 --seen-hash 0123456789abcdef',
    '',
    'A fix needs a new commit, of whichever agent. A new commit makes every pass so far stale, so that',
    'its scenario has to pass again, and cancels the authorizations of the deployment and the activation.',
  ]);
});

test('a defect that is marked as fixed stays so when it is left or given to the other agent', () => {
  const lines = linesOf({ status: 'FIXED' });
  const from = lines.indexOf('leave it with Bank (nothing to do)');
  expect(lines.slice(from, from + 8)).toEqual([
    'leave it with Bank (nothing to do)',
    '  It is marked as fixed. The scenario runs again; if it fails, Bank has to fix the defect.',
    '',
    'or give it to Shop',
    '  It stays marked as fixed. The scenario runs again; if it fails, Shop has to fix the defect.',
    'parley reassign-defect S def_1 --role agent_a --reason "..." --seen 40 --seen-hash 0123456789abcdef',
    '',
    'or waive it',
  ]);
});

test.each([
  ['is waived', { status: 'WAIVED' }, false],
  ['is in an ended session', {}, true],
])('no commands are shown for a defect that %s', (_case, changes, isOver) => {
  expect(linesOf(changes, isOver).join('\n')).not.toContain('-defect S');
});

test('a disputed defect is shown with the text of its assignee and the answer of the other agent', () => {
  const dispute = {
    ...{ finding_id: 'f_3', raised_by: 'agent_b', text: 'The shop sends the key twice.', target: 'def_1' },
    response: { by: 'agent_a', decision: 'REJECT', response: 'The key is sent once.' },
  };
  const answer = answerOf('records', { records: [record], context: { ...context, disputes: [dispute] } });
  const lines = formatRecord(answer, place, fakeTerminal({}, 100));
  const from = lines.indexOf('disputed by Bank in f_3');
  expect(lines.slice(from - 1, from + 5)).toEqual([
    '',
    'disputed by Bank in f_3',
    '  The shop sends the key twice.',
    'Shop answers: REJECT',
    '  The key is sent once.',
    '',
  ]);
});
