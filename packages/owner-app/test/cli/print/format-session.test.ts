import { expect, test } from 'vitest';
import { formatSession } from '../../../src/cli/print/format-session.ts';
import { answerOf } from '../../answer-of.ts';
import { fakeTerminal } from '../../fake-terminal.ts';

const looking = { terminal: fakeTerminal({}, 120), nowMs: Date.parse('2026-01-01T12:00:00.000Z') };

const cardOf = (view: object, at: typeof looking, board?: object): string[] =>
  formatSession(answerOf('view', view), at, board && answerOf('board', board));

const viewIn = (phase: string) => ({
  title: 'Captures',
  state: { status: 'ACTIVE', phase },
  readiness: [
    {
      by: 'agent_a',
      verdict: 'READY_TO_CODE',
      blockers: [],
      answers: [
        { question_id: 'rq_1', kind: 'exact', text: 'Which tasks are yours?', answer: 'task-orders' },
        {
          question_id: 'rq_7',
          kind: 'free',
          text: 'Which comes first?',
          answer: 'The key column.',
          check: 'CONFIRMED',
        },
        {
          question_id: 'rq_8',
          kind: 'free',
          text: 'Which guardrail?',
          answer: 'No double\nbooking.',
          check: 'DISPUTED',
          finding_id: 'f_3',
        },
      ],
    },
    { by: 'agent_b', verdict: 'BLOCKED', blockers: ['No staging.'], answers: [] },
  ],
});

const readinessOn = (phase: string): string[] => {
  const lines = cardOf(viewIn(phase), looking);
  return lines.includes('readiness') ? lines.slice(lines.indexOf('readiness')) : [];
};

test('the card shows the readiness report of each builder, with its answers in free text', () => {
  expect(readinessOn('READINESS')).toEqual([
    'readiness',
    'agent    verdict        about                 said',
    'agent_a  READY_TO_CODE  rq_7 confirmed        Which comes first? → The key column.',
    'agent_a  READY_TO_CODE  rq_8 disputed by f_3  Which guardrail? → No double booking.',
    'agent_b  BLOCKED        blocker               No staging.',
  ]);
});

test('the card shows an invitation code that is not redeemed yet beside the token of the same agent', () => {
  const at = '2026-01-02T12:00:00.000Z';
  const token = { token_prefix: 'part_abcde', client_type: 'codex', expires_at: at, revoked: false };
  const invitation = { code_prefix: 'pinv_fghij', expires_at: at };
  const access = [
    { role: 'agent_a', token, invitation },
    { role: 'agent_b', token: null, invitation },
    { role: 'moderator', token: null, invitation: null },
  ];
  const lines = cardOf({ ...viewIn('PLANNING'), access }, looking);
  expect(lines.slice(lines.indexOf('access') + 2).map((line) => line.replace(/\d{4}-.*?(?= {2}|$)/, 'T'))).toEqual([
    expect.stringMatching(/^agent_a +part_abcde +until T +codex$/),
    expect.stringMatching(/^agent_a +pinv_fghij +not redeemed yet, until T/),
    expect.stringMatching(/^agent_b +pinv_fghij +not redeemed yet, until T/),
  ]);
});

test('the card names every builder that has nominated nobody as responsible for the author', () => {
  const blocker = { code: 'NO_CONTRACT_AUTHOR', record: { id: 'contract_author' }, responsible: 'agent_a' };
  const blockersWith = (nominations: object[]): string | undefined => {
    const state = { ...viewIn('PLANNING').state, nominations, blockers: { count: 1, first: [blocker] } };
    const lines = cardOf({ ...viewIn('PLANNING'), state }, looking);
    return lines[lines.indexOf('blockers') + 2];
  };
  expect(blockersWith([])).toBe('NO_CONTRACT_AUTHOR  contract_author  agent_a, agent_b');
  expect(blockersWith([{ by: 'agent_a' }])).toBe('NO_CONTRACT_AUTHOR  contract_author  agent_b');
  expect(blockersWith([{ by: 'agent_a' }, { by: 'agent_b' }])).toBe('NO_CONTRACT_AUTHOR  contract_author  agent_a');
});

test('the card of a session in VERIFY counts the scenarios and lists the open defects', () => {
  const board = {
    scenarios: [
      { scenario_id: 'v-once', status: 'PASSED' },
      { scenario_id: 'v-twice', status: 'FAILED' },
      { scenario_id: 'v-never', status: 'FAILED' },
    ],
    defects: [
      { defect_id: 'def_1', status: 'CLOSED', assigned_to: 'agent_a', scenario_id: 'v-once' },
      { defect_id: 'def_2', status: 'OPEN', assigned_to: 'agent_b', scenario_id: 'v-twice' },
    ],
  };
  const lines = cardOf({ ...viewIn('VERIFY'), session_id: 'S' }, looking, board);
  expect(lines.slice(lines.indexOf('scenarios (each with its evidence: parley board S)'))).toEqual([
    'scenarios (each with its evidence: parley board S)',
    'status  number  scenarios',
    'PASSED  1       -',
    'FAILED  2       v-twice, v-never',
    '',
    'open defects',
    'id     assigned to  scenario',
    'def_2  agent_b      v-twice',
  ]);
});

test('the card shows the requirements with their acceptance criteria, and the guardrails', () => {
  const lines = cardOf(
    {
      ...viewIn('CONTRACT'),
      requirements: [
        { requirement_id: 'R1', text: 'Capture once.', acceptance_criteria: ['A second capture is refused.'] },
        { requirement_id: 'R2', text: 'Void.' },
      ],
      guardrails: ['No card numbers in logs.'],
    },
    looking,
  );
  expect(lines.slice(lines.indexOf('requirements'))).toEqual([
    'requirements',
    '  R1  Capture once.',
    '  accepted if: A second capture is refused.',
    '  R2  Void.',
    '',
    'guardrails',
    '  No card numbers in logs.',
  ]);
});

test.each(['CONTRACT', 'VERIFY', 'RELEASE'])('the card leaves the reports out in %s', (phase) => {
  expect(readinessOn(phase)).toEqual([]);
});

const view = {
  ...{
    session_id: 'S',
    title: 'Captures',
    objective: 'Book once.',
    movers: ['owner', 'agent_a'],
    duties: [{ role: 'agent_a', text: 'judge the run of v-once' }],
    since: '2026-01-01T11:48:00.000Z',
    moderator: { entitled: true },
  },
  state: { status: 'ACTIVE', phase: 'VERIFY', contract_author: 'agent_a', instruction: { text: 'Look.' } },
  agents: [
    {
      role: 'agent_a',
      display_name: 'Shop agent',
      joined: true,
      last_call_at: '2026-01-01T11:59:56.000Z',
      waiting: true,
    },
    { role: 'agent_b', display_name: 'Bank agent', joined: false },
  ],
  waits: [
    {
      ...{
        kind: 'QUESTION',
        operation: 'answerQuestion',
        payload: { question_id: 'q_4' },
        record: { type: 'question', id: 'q_4' },
        text: 'Answer question q_4.',
      },
      ...{ blocking: true, from: 'agent_b', since: '2026-01-01T09:00:00.000Z', said: 'How long?' },
    },
  ],
};

test('in phases without turns, the card shows who must act, who is present, and all waiting tasks', () => {
  expect(cardOf(view, looking)).toEqual([
    'Captures',
    'ACTIVE, VERIFY',
    'next, since 3 h:',
    '  you: Answer q_4',
    '  Shop agent (agent_a): judge the run of v-once',
    'Contract Author: Shop agent (agent_a)',
    'Shop agent (agent_a): waiting, 4 s ago',
    'Bank agent (agent_b): never joined',
    '│ Book once.',
    '',
    'waits for you',
    '! QUESTION, from Bank agent (agent_b), 3 h ago: Answer question q_4.',
    '  │ How long?',
    '    parley show S q_4',
    '    parley answer-question S q_4 --text "..."',
  ]);
});

test.each([
  [
    'one agent must act',
    { movers: ['agent_a'], waits: [] },
    'next, since 12 min: Shop agent (agent_a): judge the run of v-once',
  ],
  ['nobody has a move', { movers: [], waits: [] }, 'next: nobody'],
  [
    'the session is paused',
    { movers: ['owner'], state: { status: 'PAUSED', phase: 'VERIFY' } },
    'next: nobody, until you resume the session',
  ],
  [
    'the session has ended',
    { movers: [], waits: [], state: { status: 'ENDED', phase: 'RELEASE' } },
    'next: nobody, the session has ended',
  ],
])('the card says so if %s', (_case, more, line) => {
  expect(cardOf({ ...view, ...more }, looking)[2]).toBe(line);
});

test('the card says only once that an agent is absent', () => {
  const absent = { kind: 'AGENT_ABSENT', blocking: false, record: { type: 'agent', id: 'agent_b' }, text: 'Gone.' };
  const lines = cardOf({ ...view, waits: [absent] }, looking);
  expect(lines.filter((line) => line.includes('Bank agent (agent_b): never joined'))).toEqual([
    '~ absent: Bank agent (agent_b): never joined',
  ]);
});

test('the card says of an absent agent what `parley waiting` says, also if the agent stops the session', () => {
  const absent = { kind: 'AGENT_ABSENT', blocking: true, record: { type: 'agent', id: 'agent_b' }, text: 'Gone.' };
  const question = {
    kind: 'QUESTION',
    blocking: true,
    record: { type: 'question', id: 'q_1' },
    text: 'Answer it.',
    since: '2026-01-01T09:00:00.000Z',
  };
  const alone = cardOf({ ...view, waits: [absent] }, looking);
  expect(alone).toContain('the session stops until an invited agent joins');
  expect(alone).toContain('x absent: Bank agent (agent_b): never joined');
  expect(alone).not.toContain('waits for you');
  const idle = cardOf({ ...view, waits: [{ ...absent, blocking: false }] }, looking);
  expect(idle).toContain('an agent is absent: no decision of yours is needed');
  const both = cardOf({ ...view, waits: [absent, question] }, looking);
  expect(both).toContain('waits for you');
  expect(both).toContain('x absent: Bank agent (agent_b): never joined');
  expect(both).toContain('! QUESTION, 3 h ago: Answer it.');
});

test('the card says what to tell a silent agent, and does not invite it', () => {
  const absent = { kind: 'AGENT_ABSENT', blocking: true, record: { type: 'agent', id: 'agent_b' }, text: 'Gone.' };
  const agents = [
    { role: 'agent_b', display_name: 'Bank agent', joined: true, last_call_at: '2026-01-01T09:00:00.000Z' },
  ];
  const text = cardOf({ ...view, agents, waits: [absent] }, looking).join('\n');
  expect(text).toContain('Tell the silent agent: Call read_task first.');
  expect(text).not.toContain('invite');
});

test('the card names who approved the contract', () => {
  const given = [{ person: { id: 'p_1', name: 'Ada' }, at: '2026-11-24T10:50:16.889Z' }];
  const approvals = [{ stage: 'approval', required: 1, given }];
  expect(cardOf({ ...viewIn('READINESS'), approvals }, looking)).toContain(
    'Contract approved by Ada, 2026-11-24 10:50 UTC',
  );
});

test('the card says whose approval does not count any more', () => {
  const one = (name: string) => ({ person: { id: name, name }, at: '2026-11-24T10:50:16.889Z' });
  const card = (given: readonly object[]) =>
    cardOf(
      { ...viewIn('CONTRACT'), approvals: [{ stage: 'approval', required: 2, given, lapsed: [one('Mallory')] }] },
      looking,
    );
  expect(card([one('Ben')])).toContain(
    'Contract approved by Ben, 2026-11-24 10:50 UTC; 1 more approver needed; the approval of Mallory does not count any more',
  );
  expect(card([])).toContain(
    'Contract approved by nobody; 2 more approvers needed; the approval of Mallory does not count any more',
  );
});

test('the card shows the agenda, and what of it is settled', () => {
  const scenario = (id: string) => ({ id, title: 'The ledger is down', given: 'G', when: 'W', requirements: [] });
  const agenda = {
    topics: [
      { topic: 'Keys', question: 'Who makes the key?' },
      { topic: 'Retries', question: 'How often?' },
    ],
    scenarios: [scenario('test-1'), scenario('test-2')],
  };
  const lines = cardOf({ agenda, agenda_open: { topics: ['Retries'], scenarios: ['test-2'] } }, looking);
  const at = lines.indexOf('agenda');
  expect(lines.slice(at, at + 6)).toEqual([
    'agenda',
    'agenda   status               what',
    'Keys     decided              Who makes the key?',
    'Retries  not decided          How often?',
    'test-1   in the contract      The ledger is down',
    'test-2   not in the contract  The ledger is down',
  ]);
  expect(cardOf({}, looking)).not.toContain('agenda');
});
