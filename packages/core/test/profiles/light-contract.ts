import type { SubmittedContract } from '../../src/areas/document/contract.ts';
import { ORDERS_TASK } from '../contract/sample-contract.ts';

/** What an author writes in a light session: the six required sections, and nothing else. */
export const LIGHT_CONTRACT: SubmittedContract = {
  title: 'Orders reserve stock',
  summary: 'orders-api reserves stock at stock-api before a payment; a reservation ends after 15 minutes.',
  decisions: ['d_1'],
  interfaces: [
    {
      id: 'reservations',
      name: 'Reservations',
      kind: 'http',
      provider: 'agent_b',
      consumers: ['agent_a'],
      description: 'Reserves units of one article for one order.',
      operations: [
        {
          name: 'POST /reservations',
          request: { order_id: 'o-1', units: 2 },
          response: { reservation_id: 'v-1', ends_at: '2026-01-05T09:15:00Z' },
          errors: ['409 out of stock'],
        },
      ],
    },
  ],
  tasks: [
    {
      id: 'task-stock',
      title: 'Serve reservations that end by themselves',
      assignee: 'agent_b',
      requirements: ['R1', 'R2'],
      interfaces: ['reservations'],
      depends_on: [],
      deliverables: ['POST /reservations in stock-api'],
      done_when: ['A reservation is gone after 15 minutes.'],
    },
    ORDERS_TASK,
  ],
  tests: [
    {
      id: 'test-reserve',
      title: 'An order reserves stock, and the reservation ends',
      given: 'Stock of 2 units.',
      when: 'An order of 2 units is placed, and 15 minutes pass.',
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
      then: '2 units are reserved, then free again.',
      executor: 'agent_a',
      requirements: ['R1', 'R2'],
      interfaces: ['reservations'],
      depends_on: [],
    },
  ],
};
