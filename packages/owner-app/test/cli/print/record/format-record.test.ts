import { expect, test } from 'vitest';
import { formatRecord } from '../../../../src/cli/print/format-record.ts';
import { answerOf } from '../../../answer-of.ts';
import { fakeTerminal } from '../../../fake-terminal.ts';

const place = {
  nameOf: (role: string) => role,
  ...{
    consoleUrl: 'http://c',
    sessionId: 'S',
    shownId: 'S',
    latestRevision: 'r_3',
    program: 'parley',
    isOver: false,
    seen: { seen: 40, seen_hash: '0123456789abcdef' },
  },
};

test('the steps of a test are shown in the order given, when, then', () => {
  const record = {
    given: 'A free book.',
    id: 'test-1',
    // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
    then: 'It is reserved.',
    title: 'Reserve',
    when: 'One reserves.',
  };
  const lines = formatRecord(
    answerOf('records', { records: [record], context: { type: 'test' } }),
    place,
    fakeTerminal(),
  );
  expect(lines.slice(1, -2)).toEqual(['given  A free book.', 'when   One reserves.', 'then   It is reserved.']);
});

test.each([
  ['r_1', 'r_1  Stock  revision, replaced by r_3'],
  ['r_3', 'r_3  Stock  revision'],
])('the first line of %s names the revision that replaced it', (revision_id, head) => {
  const answer = answerOf('records', { records: [{ revision_id, title: 'Stock' }], context: { type: 'revision' } });
  expect(formatRecord(answer, place, fakeTerminal())[0]).toBe(head);
});

test.each([
  ['r_3', 'parley show S if-book'],
  ['r_1', 'parley revision S --revision-id r_1 --section interfaces'],
])(
  'of the part in %s that a finding names, the first lines are shown, and the command for the whole',
  (revision_id, command) => {
    const value = { id: 'if-book', one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7 };
    const contract = { revision_id, pointer: '/interfaces/0', part_id: 'if-book', value };
    const record = { finding_id: 'f_1', text: 'It may be booked twice.' };
    const answer = answerOf('records', { records: [record], context: { type: 'finding', contract } });
    const lines = formatRecord(answer, place, fakeTerminal());
    expect(lines.slice(1, -3)).toEqual([
      '',
      'text',
      '│ It may be booked twice.',
      '',
      `/interfaces/0 of ${revision_id}`,
      'id     if-book',
      'one    1',
      'two    2',
      'three  3',
      'four   4',
      'five   5',
      `…  in full: ${command}`,
    ]);
  },
);

test('the responses to a question show the names of the agents and the times as all commands do', () => {
  const nameOf = (role: string) => (role === 'agent_a' ? 'Shop agent (agent_a)' : role);
  const responses = [{ role: 'agent_a', status: 'ANSWERED', at: '2026-11-27T13:51:50.516Z' }];
  const record = { intervention_id: 'i_3', responses, commits: { agent_a: '4be1f0c' } };
  const lines = formatRecord(
    answerOf('records', { records: [record], context: { type: 'intervention' } }),
    { ...place, nameOf },
    fakeTerminal({}, 120),
  );
  expect(lines.slice(1, -2)).toEqual([
    'responses',
    '  status    at                    role',
    '  ANSWERED  2026-11-27 13:51 UTC  Shop agent (agent_a)',
    'commits',
    '  Shop agent (agent_a)  4be1f0c',
  ]);
});

test('commands name the session as the person did, addresses by its whole id', () => {
  const contract = { revision_id: 'r_1', pointer: '/interfaces/0', part_id: 'if-book', value: [1, 2, 3, 4, 5, 6, 7] };
  const lines = formatRecord(
    answerOf('records', { records: [{ finding_id: 'f_1' }], context: { type: 'finding', contract } }),
    { ...place, sessionId: 'Session', shownId: 'Sess', latestRevision: 'r_1' },
    fakeTerminal(),
  );
  expect(lines.slice(-4, -2)).toEqual(['…  in full: parley show Sess if-book', '']);
  expect(lines.at(-2)).toBe('in the console  http://c/owner/sessions/Session/f_1');
});

const addressesOf = (record: object, context: object, latestRevision = 'r_3'): string[] => {
  const answer = answerOf('records', { records: [record], context });
  const lines = formatRecord(answer, { ...place, latestRevision }, fakeTerminal({}, 200));
  return lines.filter((line) => line.includes('http://c'));
};

test.each([
  [
    'a decision in the contract',
    [{ decision_id: 'd_2' }, { type: 'decision', contract: { revision_id: 'r_3', pointer: '/decisions/0' } }],
    ['in the console  http://c/owner/sessions/S/d_2', 'in contract r_3  http://c/owner/sessions/S/contract#part-d_2'],
  ],
  [
    'a finding on an earlier revision',
    [
      { finding_id: 'f_1', target: 'if-book' },
      {
        type: 'finding',
        contract: { revision_id: 'r_1', pointer: '/interfaces/0/description', part_id: 'if-book', value: 'Books.' },
      },
    ],
    ['in the console  http://c/owner/sessions/S/f_1', 'in contract r_1  http://c/owner/sessions/S/r_1#part-if-book'],
  ],
  [
    'a defect',
    [{ defect_id: 'def_1', scenario_id: 'v-once' }, { type: 'defect' }],
    [
      'in the console  http://c/owner/sessions/S/def_1',
      'in contract r_3  http://c/owner/sessions/S/contract#part-v-once',
    ],
  ],
  [
    'a part of the contract',
    [{ id: 'v-once' }, { type: 'test', contract: { revision_id: 'r_3', pointer: '/tests/0' } }],
    ['in contract r_3  http://c/owner/sessions/S/contract#part-v-once'],
  ],
  ['a question', [{ question_id: 'q_1' }, { type: 'question' }], ['in the console  http://c/owner/sessions/S/q_1']],
] as const)('the addresses of %s are shown', (_case, [record, context], lines) => {
  expect(addressesOf(record, context)).toEqual(lines);
});

test('a requirement has the address of its session before there is a contract', () => {
  const record = { requirement_id: 'req-1' };
  expect(addressesOf(record, { type: 'requirement' })).toEqual([
    'in contract r_3  http://c/owner/sessions/S/contract#part-req-1',
  ]);
  expect(addressesOf(record, { type: 'requirement' }, '')).toEqual(['in the console  http://c/owner/sessions/S']);
});
