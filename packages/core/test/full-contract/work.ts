// biome-ignore-all lint/suspicious/noThenProperty: given, when and then are members of a contract's test.

import type { Contract } from '../../src/areas/document/contract.ts';

export const FULL_TASKS: Contract['tasks'] = [
  {
    id: 'task-captures',
    title: 'Book each key once',
    assignee: 'agent_b',
    requirements: ['req-1', 'req-2'],
    interfaces: ['captures-api'],
    depends_on: [],
    deliverables: ['Route POST /v1/captures', 'Route GET /v1/captures/{order_id}', 'Migration with a unique index'],
    done_when: ['Two calls at once with one key leave one entry.', 'captures.fixture.json books without an error.'],
  },
  {
    id: 'task-events',
    title: 'Report the outcome of every capture',
    assignee: 'agent_b',
    requirements: ['req-3'],
    interfaces: ['capture-events'],
    depends_on: ['task-captures'],
    deliverables: ['Publisher of capture.settled and capture.refused'],
    done_when: ['A capture whose outcome is unknown is settled within 15 minutes.'],
  },
  {
    id: 'task-checkout',
    title: 'Send every try with the same key',
    assignee: 'agent_a',
    requirements: ['req-1', 'req-2'],
    interfaces: ['captures-api'],
    depends_on: ['task-captures'],
    deliverables: ['Capture client of the checkout'],
    done_when: ['All tries of one order carry its order id as key, also after a restart.'],
  },
  {
    id: 'task-outcomes',
    title: 'Show the outcome on the order',
    assignee: 'agent_a',
    requirements: ['req-3'],
    interfaces: ['capture-events'],
    depends_on: ['task-events', 'task-checkout'],
    deliverables: ['Consumer of capture.settled and capture.refused'],
    done_when: ['An event that arrives twice changes the order once.'],
  },
];

export const FULL_TESTS: Contract['tests'] = [
  {
    id: 'test-retry',
    title: 'A lost answer does not charge twice',
    given: 'Order o-1001 of captures.fixture.json, and a ledger that drops its first answer.',
    when: 'The shop tries the capture until it gets an answer.',
    then: 'The ledger holds one entry for o-1001, and the order shows as paid.',
    executor: 'agent_a',
    responsible: 'agent_b',
    requirements: ['req-1', 'req-2'],
    interfaces: ['captures-api'],
    depends_on: [],
    evidence_policy: {
      per_agent_kinds: { agent_a: ['http_exchange'], agent_b: ['log'] },
      min_items: 1,
      correlated: true,
    },
  },
  {
    id: 'test-settle',
    title: 'An unknown outcome settles by itself',
    given: 'A capture that the sandbox of the provider leaves open.',
    when: 'Fifteen minutes of the test clock go by.',
    then: 'The ledger sends capture.settled once, and the order shows as paid.',
    executor: 'agent_b',
    requirements: ['req-3'],
    interfaces: ['capture-events'],
    depends_on: ['test-retry'],
  },
];
