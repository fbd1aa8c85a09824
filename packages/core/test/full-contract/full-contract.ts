import { CONTRACT_SCHEMA_VERSION, type Contract } from '../../src/areas/document/contract.ts';
import type { MissionFacts } from '../../src/areas/validation/rule.ts';
import { FULL_INTERFACES, FULL_MODELS } from './interfaces.ts';
import { FULL_TASKS, FULL_TESTS } from './work.ts';

/** The mission on which FULL_CONTRACT is based. */
export const FULL_MISSION: MissionFacts = {
  requirementIds: ['req-1', 'req-2', 'req-3'],
  scenarioIds: [],
  fixtureVersion: 'capture-2026-11',
  waived: [],
};

/** The RESOLVED decisions of the session for which `FULL_CONTRACT` is written. */
export const FULL_DECISION_IDS: readonly string[] = ['d_1', 'd_3'];

/** A contract that uses every member and breaks no rule: two services that capture a payment exactly once. */
export const FULL_CONTRACT: Contract = {
  schema_version: CONTRACT_SCHEMA_VERSION,
  title: 'A payment is captured exactly once',
  summary:
    'The shop (agent_a) sends every capture with a key; the ledger (agent_b) books one entry for each key and reports the outcome.',
  scope: {
    in: ['Captures of card payments', 'Settling captures whose outcome is unknown'],
    out: ['Refunds', 'The public checkout API of the shop'],
  },
  decisions: ['d_1', 'd_3'],
  interfaces: FULL_INTERFACES,
  data_models: FULL_MODELS,
  tasks: FULL_TASKS,
  tests: FULL_TESTS,
  gates: [
    {
      id: 'gate-build',
      title: 'Ready to build',
      stage: 'build',
      condition: 'Both builders have loaded captures.fixture.json and report the same number of orders.',
    },
    {
      id: 'gate-deployment',
      title: 'Ready to deploy',
      stage: 'deployment',
      condition: 'Every test has passed on the commits that are to be deployed.',
      evidence: 'The board of the session.',
    },
    {
      id: 'gate-activation',
      title: 'Ready to activate',
      stage: 'activation',
      condition: 'One hour in staging has booked no order twice.',
      evidence: 'The report of double entries of the ledger, with no rows.',
    },
  ],
  risks: [
    {
      id: 'risk-late-answer',
      text: 'The provider answers after the shop has given up.',
      mitigation: 'The ledger keeps the key before it calls the provider and settles the outcome by itself.',
      assignee: 'agent_b',
    },
  ],
  safety_conditions: [
    {
      id: 'safe-no-live-replay',
      text: 'Nobody replays a capture in the live ledger.',
      covered_by: ['gate-activation', 'test-retry'],
    },
    {
      id: 'safe-append-only',
      text: 'An entry of the ledger is never edited or deleted.',
      covered_by: ['task-captures'],
    },
  ],
  dependencies: [
    { name: 'PostgreSQL', version: '15', assignee: 'agent_b', why: 'A unique index on the key decides who is first.' },
    { name: 'Sandbox of the payment provider', assignee: 'agent_b', why: 'No test may reach the live provider.' },
  ],
  rollout: {
    steps: [
      'agent_b deploys the ledger; it accepts calls without a key as before.',
      'agent_a deploys the shop, which sends the key.',
      'agent_b refuses calls without a key.',
    ],
    rollback: 'Each side goes back alone: the ledger goes on to accept calls without a key until the last step.',
  },
  fixture_version: 'capture-2026-11',
  artifacts: [
    {
      filename: 'captures.fixture.json',
      media_type: 'application/json',
      audience: 'both',
      content: '{"orders":[{"order_id":"o-1001","amount":{"minor_units":4990,"currency":"EUR"}}]}',
    },
  ],
};
