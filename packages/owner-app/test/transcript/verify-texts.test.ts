import { expect, test } from 'vitest';
import { linesOf, type Reading } from './printed.ts';

const [OLD, NEW] = ['c02d'.repeat(10), '7fa3'.repeat(10)];
const commits = { agent_a: OLD, agent_b: NEW };

const READINGS: readonly Reading[] = [
  [
    'agent_a',
    'handshake.declared',
    {
      service: 'shop',
      version: '2.0',
      commit: NEW,
      environment: 'staging',
      ready: true,
      dependencies_healthy: false,
      branch: 'keys',
      address: 'http://127.0.0.1:4801',
      fixture_version: 'fix-1',
      interfaces: ['if-page', { name: 'if-api', version: '2' }],
      capabilities: ['replay'],
      skew_ms: -40,
      commit_changed: true,
      previous_commit: OLD,
      stale_scenarios: ['test-keys', 'test-replay'],
    },
    [
      '● Shop (agent_a)  declares another commit, so earlier passes are stale',
      '│ runs         shop 2.0 in staging, from keys',
      `│ commit       ${NEW}`,
      '│ address      http://127.0.0.1:4801',
      `│ before       ${OLD}`,
      '│ stale        test-keys, test-replay',
      '│ says         ready, dependencies not healthy',
      '│ fixtures     fix-1',
      '│ serves       if-page, if-api 2',
      '│ can          replay',
      '│ clock        agrees with the service',
    ],
  ],
  ['agent_a', 'attempt.started', { scenario_id: 'once', attempt: 2, commits }, ['● Shop (agent_a)  starts once/2']],
  [
    'agent_b',
    'evidence.submitted',
    {
      scenario_id: 'once',
      attempt: 2,
      kind: 'log',
      claim: 'Booked twice.',
      summary: 'Two rows.',
      request_id: 'run-7',
      commit: OLD,
      assertions: [
        { name: 'status', expected: 200, actual: 200, passed: true },
        { name: 'rows', expected: [1], actual: [1, 2], passed: false },
      ],
    },
    [
      '● Ledger (agent_b)  gives evidence for once/2',
      '│ Booked twice.',
      '│',
      '│ saw          Two rows.',
      '│ passes       status: 200',
      '│ FAILS        rows: [1,2] instead of [1]',
      '│ run          run-7 on c02dc02dc02d…, by log',
    ],
  ],
  [
    'agent_b',
    'verdict.given',
    { scenario_id: 'once', attempt: 2, verdict: 'PASS', note: 'One row.' },
    ['● Ledger (agent_b)  judges once/2: PASS', '│ One row.', '✔ once has passed'],
  ],
  [
    'agent_b',
    'verdict.given',
    { scenario_id: 'once', attempt: 3, verdict: 'PASS', deviations: ['The log has no id.'] },
    ['● Ledger (agent_b)  judges once/3: PASS', '│ deviates     The log has no id.', '✔ once has passed'],
  ],
  [
    'agent_b',
    'verdict.given',
    { scenario_id: 'once', attempt: 1, verdict: 'FAIL' },
    ['● Ledger (agent_b)  judges once/1: FAIL'],
  ],
  [
    'system',
    'defect.opened',
    { defect_id: 'def_1', scenario_id: 'once', attempt: 1, assigned_to: 'agent_b', commits },
    [
      '● system  opens def_1 on once/1, for Ledger (agent_b)',
      `│ commit       ${OLD} of Shop (agent_a)`,
      `│ commit       ${NEW} of Ledger (agent_b)`,
    ],
  ],
  [
    'system',
    'defect.reopened',
    { defect_id: 'def_1', scenario_id: 'once', attempt: 2, commits },
    [
      '● system  opens def_1 again: once/2 failed',
      `│ commit       ${OLD} of Shop (agent_a)`,
      `│ commit       ${NEW} of Ledger (agent_b)`,
    ],
  ],
  [
    'agent_b',
    'defect.fixed',
    { defect_id: 'def_1', scenario_id: 'once', note: 'Locks the row.', commit: NEW },
    ['● Ledger (agent_b)  marks def_1 fixed on 7fa37fa37fa3…', '│ Locks the row.'],
  ],
  [
    'system',
    'defect.closed',
    { defect_id: 'def_1', scenario_id: 'once', attempt: 2 },
    ['✔ def_1 is closed: once/2 passed'],
  ],
  [
    'owner',
    'defect.waived',
    { defect_id: 'def_1', scenario_id: 'once', reason: 'Old fixtures.' },
    ['● owner  waives def_1 of once', '│ Old fixtures.'],
  ],
  [
    'owner',
    'defect.reassigned',
    { defect_id: 'def_1', scenario_id: 'once', assigned_to: 'agent_a' },
    ['● owner  gives def_1 of once to Shop (agent_a)'],
  ],
  [
    'owner',
    'defect.reassigned',
    { defect_id: 'def_1', scenario_id: 'once', assigned_to: 'agent_a', reason: 'The sweeper sends it.' },
    ['● owner  gives def_1 of once to Shop (agent_a)', '│ The sweeper sends it.'],
  ],
  [
    'owner',
    'deployment.authorized',
    { manifest_id: 'm_1', commits },
    [
      '● owner  authorizes the deployment of m_1',
      `│ commit       ${OLD} of Shop (agent_a)`,
      `│ commit       ${NEW} of Ledger (agent_b)`,
      '✔ The owner has authorized the deployment of these commits',
    ],
  ],
  [
    'owner',
    'activation.authorized',
    { manifest_id: 'm_1', commits, note: 'The flag is on for 5 %.' },
    [
      '● owner  authorizes the activation of m_1',
      `│ commit       ${OLD} of Shop (agent_a)`,
      `│ commit       ${NEW} of Ledger (agent_b)`,
      '│ note         The flag is on for 5 %.',
      '✔ The owner has authorized the activation of these commits',
    ],
  ],
];

test.each(READINGS)('a message of %s reads as words: %s', (from, kind, part, lines) => {
  expect(linesOf(from, kind, part)).toEqual(['', ...lines]);
});
