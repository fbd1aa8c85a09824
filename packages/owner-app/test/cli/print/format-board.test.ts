import { expect, test } from 'vitest';
import { formatBoard } from '../../../src/cli/print/format-board.ts';
import { createPaint } from '../../../src/text/page.ts';
import { answerOf } from '../../answer-of.ts';

const page = { columns: 80, paint: createPaint(false) };

const BOARD = {
  handshakes: {
    agent_a: {
      commit: '91c7'.repeat(10),
      ready: true,
      dependencies_healthy: true,
      service: 'shop',
      version: '2.0',
      environment: 'ci',
      fixture_version: 'fix-1',
      address: 'http://127.0.0.1:4801',
    },
    agent_b: null,
  },
  scenarios: [
    {
      scenario_id: 'v-once',
      level: 'recorded' as const,
      title: 'Booked once',
      status: 'PASSED',
      executor: 'agent_a',
      attempts: [
        { evidence_count: 1 },
        { evidence_count: 4, verdict: { verdict: 'PASS', deviations: ['Two bookings took 3 s.'] } },
      ],
    },
    { scenario_id: 'v-late', title: 'Booked late', status: 'WAITING', executor: 'agent_b', attempts: [] },
  ],
  defects: [
    {
      defect_id: 'def_1',
      status: 'CLOSED',
      assigned_to: 'agent_b',
      scenario_id: 'v-once',
      fix: { note: 'Locks\nthe row.' },
    },
    { defect_id: 'def_2', status: 'WAIVED', assigned_to: 'agent_a', scenario_id: 'v-once', waiver_reason: 'Old data.' },
    { defect_id: 'def_3', status: 'OPEN', assigned_to: 'agent_a', scenario_id: 'v-late', fix: null },
  ],
  certification: {
    certified: false,
    checks: [
      { check: 'NO_ACTIVE_HOLD', ok: true, detail: 'No hold is active.' },
      { check: 'NO_OPEN_DEFECT', ok: false, detail: 'Defects that are neither closed nor waived: def_3 OPEN.' },
    ],
  },
};

test('a test board shows handshakes, scenarios, defects and open checks', () => {
  expect(formatBoard(answerOf('board', BOARD), page)).toEqual([
    '',
    'handshakes',
    'agent    commit                                    state  service  version  in',
    '  fixtures',
    'agent_a  91c791c791c791c791c791c791c791c791c791c7  ready  shop     2.0      ci',
    '  fix-1',
    '',
    'addresses',
    'agent    address',
    'agent_a  http://127.0.0.1:4801',
    '',
    'scenarios',
    'scenario  status   rests on  run by   runs  items  title',
    'v-once    PASSED   recorded  agent_a  2     4      Booked once',
    'v-late    WAITING  -         agent_b  0     0      Booked late',
    '',
    'deviations',
    'scenario  accepted deviation',
    'v-once    Two bookings took 3 s.',
    '',
    'defects',
    'id     status  assigned to  scenario  fix or waiver',
    'def_1  CLOSED  agent_b      v-once    Locks the row.',
    'def_2  WAIVED  agent_a      v-once    Old data.',
    'def_3  OPEN    agent_a      v-late    -',
    '',
    'checks',
    '   check           why',
    '✔  NO_ACTIVE_HOLD  No hold is active.',
    '✘  NO_OPEN_DEFECT  Defects that are neither closed nor waived: def_3 OPEN.',
    '',
    'not certified yet',
  ]);
});

test('the output of a test board contains no control characters that could move the cursor', () => {
  const evil = JSON.parse(JSON.stringify(answerOf('board', BOARD)).replaceAll(/:"/g, ':"\\u001b[2J\\u202e'));
  const shown = formatBoard(evil, page).join('\n');
  expect(shown).toContain('\\u{1b}[2J\\u{202e}');
  expect(['\u001b', '\u202e'].filter((letter) => shown.includes(letter))).toEqual([]);
});

test('a test board shows what each builder must do and since when, and the web pages of the commits', () => {
  const agents = [
    { role: 'agent_a', name: 'Shop agent', commit_url: 'https://github.com/acme/shop/commit/91c791c' },
    { role: 'agent_b', name: 'Ledger agent', commit_url: null },
  ];
  const owes = [
    { role: 'agent_b', what: 'evidence of kind manual', since: '2026-11-21T06:12:00.000Z' },
    { role: 'agent_a', what: 'the verdict', since: '2026-11-19T06:12:00.000Z' },
  ];
  const scenarios = [{ scenario_id: 'v-late', title: 'Booked late', status: 'OPEN', executor: 'agent_b', owes }];
  const now = Date.parse('2026-11-21T06:26:00.000Z');
  expect(formatBoard(answerOf('board', { agents, scenarios }), { ...page, columns: 120 }, now)).toEqual([
    '',
    'commits',
    'agent                 page',
    'Shop agent (agent_a)  https://github.com/acme/shop/commit/91c791c',
    '',
    'scenarios',
    'scenario  status  rests on  run by   runs  items  title',
    'v-late    OPEN    -         agent_b  0     0      Booked late',
    '',
    'who owes what',
    'scenario  who                     owes                     since',
    'v-late    Ledger agent (agent_b)  evidence of kind manual  2026-11-21 06:12 UTC (14 min)',
    'v-late    Shop agent (agent_a)    the verdict              2026-11-19 06:12 UTC (2 d)',
    '',
    'not certified yet',
  ]);
});

test('a scenario shows the evidence of both agents, item by item, and the verdict', () => {
  const attempt = {
    attempt: 2,
    status: 'FAILED',
    evidence: [
      {
        by: 'agent_a',
        kind: 'log',
        commit: '91c7'.repeat(10),
        claim: 'One booking.',
        summary: 'Four tries.',
        assertions: [{ name: 'bookings', expected: 1, actual: 2, passed: false }],
      },
      {
        by: 'agent_a',
        kind: 'test_report',
        commit: '91c7'.repeat(10),
        claim: 'npm test passed.',
        summary: 'All green.',
        run: {
          ...{ argv: ['npm', 'test'], exit_code: 1, duration_ms: 900, commit: 'abcd'.repeat(10), dirty: false },
          not_recorded: ['OTHER_COMMIT'],
          named: [
            { name: 'books once', status: 'passed' },
            { name: 'keeps the key', status: 'failed' },
          ],
          report: {
            ...{ format: 'junit', sha256: 'd'.repeat(64), size: 900, passed: 1, failed: 1, skipped: 0 },
            tests: [],
          },
        },
      },
      {
        by: 'agent_b',
        kind: 'metric',
        commit: '7fa3'.repeat(10),
        claim: 'No error.',
        summary: '',
        assertions: [{ name: 'answer', expected: { status: 200 }, actual: { status: 200 }, passed: true }],
      },
    ],
    verdict: { by: 'agent_b', verdict: 'FAIL', note: 'Booked twice.', deviations: [] },
  };
  const board = { scenarios: [{ scenario_id: 'v-once', title: 'Once', executor: 'agent_a', attempts: [attempt] }] };
  const lines = formatBoard(answerOf('board', board), page);
  expect(lines.slice(lines.indexOf('evidence of v-once/2, FAILED'), -2)).toEqual([
    'evidence of v-once/2, FAILED',
    'agent_a, log, claimed, commit 91c791c791c7',
    '  One booking.',
    '  Four tries.',
    '  ✘ bookings: 2 instead of 1',
    'agent_a, test_report, claimed, commit abcdabcdabcd',
    '  command: npm test: exit code 1, 1 passed, 1 failed, 0 skipped, on',
    '  abcdabcdabcd…',
    '  report: junit, SHA-256',
    `  ${'d'.repeat(64)}`,
    '  level: claimed: its commit is not declared',
    '  shows: books once',
    '  NOT SHOWN: keeps the key (failed)',
    '  The agent says: npm test passed.',
    '  All green.',
    'agent_b, metric, claimed, commit 7fa37fa37fa3',
    '  No error.',
    '  ✔ answer: {"status":200}',
    'agent_b judges: FAIL',
    '  Booked twice.',
  ]);
});

const APPROVALS = [
  {
    stage: 'approval',
    required: 2,
    given: [{ person: { id: 'p_1', name: 'Ada\nLovelace' }, at: '2026-11-24T10:50:16.889Z' }],
  },
  {
    stage: 'build',
    required: 1,
    given: [{ person: { id: 'p_2', name: 'Ben' }, at: '2026-11-24T11:02:00.000Z' }],
  },
  { stage: 'deployment', required: 1, given: [{ person: null, at: '2026-11-24T12:00:00.000Z' }] },
  {
    stage: 'activation',
    required: 2,
    given: [
      { person: { id: 'p_1', name: 'Ada' }, at: '2026-11-24T13:00:00.000Z' },
      { person: { id: 'p_2', name: 'Ben' }, at: '2026-11-24T13:05:00.000Z' },
    ],
  },
];

test('names who approved each step, and how many approvers are missing', () => {
  const lines = formatBoard(answerOf('board', { ...BOARD, approvals: APPROVALS }), { ...page, columns: 120 });
  const start = lines.indexOf('approvals');
  expect(lines.slice(start, start + 5)).toEqual([
    'approvals',
    '  Contract approved by Ada Lovelace, 2026-11-24 10:50 UTC; 1 more approver needed',
    '  Build authorized by Ben, 2026-11-24 11:02 UTC',
    '  Activation authorized by Ada, 2026-11-24 13:00 UTC and Ben, 2026-11-24 13:05 UTC',
    '',
  ]);
  expect(formatBoard(answerOf('board', BOARD), page)).not.toContain('approvals');
});
