import { expect, test } from 'vitest';
import { formatBoard } from '../src/cli/print/format-board.ts';
import { createPaint } from '../src/text/style.ts';

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
    },
    agent_b: null,
  },
  scenarios: [
    {
      scenario_id: 'v-once',
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
      { check: 'NO_OPEN_DEFECT', ok: false, detail: 'Standing: def_3 OPEN.' },
    ],
  },
};

test('a test board shows handshakes, scenarios, defects and open checks', () => {
  expect(formatBoard(BOARD, page)).toEqual([
    '',
    'what runs',
    'agent    commit         says   service  version  in  fixtures',
    'agent_a  91c791c791c7…  ready  shop     2.0      ci  fix-1',
    '',
    'scenarios',
    'scenario  status   run by   runs  items  title',
    'v-once    PASSED   agent_a  2     4      Booked once',
    'v-late    WAITING  agent_b  0     0      Booked late',
    '',
    'deviations',
    'scenario  passed in spite of',
    'v-once    Two bookings took 3 s.',
    '',
    'defects',
    'id     status  for      scenario  settled by',
    'def_1  CLOSED  agent_b  v-once    Locks the row.',
    'def_2  WAIVED  agent_a  v-once    Old data.',
    'def_3  OPEN    agent_a  v-late    -',
    '',
    'checks',
    '   check           why',
    '✔  NO_ACTIVE_HOLD  No hold is active.',
    '✘  NO_OPEN_DEFECT  Standing: def_3 OPEN.',
    '',
    'not certified yet',
  ]);
});

test('a test board reaches a terminal without what could move its cursor', () => {
  const evil = JSON.parse(JSON.stringify(BOARD).replaceAll(/:"/g, ':"\\u001b[2J\\u202e'));
  const shown = formatBoard(evil, page).join('\n');
  expect(shown).toContain('\\u{1b}[2J\\u{202e}');
  expect(['\u001b', '\u202e'].filter((letter) => shown.includes(letter))).toEqual([]);
});
