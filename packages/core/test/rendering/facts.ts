import { PROFILES } from '../../src/areas/profiles.ts';
import type { HandoffFacts } from '../../src/areas/rendering/handoff.ts';

/** The mission and the decisions of the example contract. */
export const EXAMPLE_FACTS: HandoffFacts = {
  terms: PROFILES.full,
  revision_id: 'r_2',
  content_hash: '6f1c0f7a5d2b4c9e8a3d1b0f4e7c6a5928f0d3b1c4e5a697b8c9d0e1f2a3b4c5',
  mission: {
    title: 'Idempotent payment capture',
    objective:
      'A customer is charged once and the ledger books one entry, however often the shop has to retry a capture.',
    guardrails: [
      'No change to the public checkout API of the shop.',
      'The ledger stays append-only: an entry is never edited or deleted.',
      'Either side can be rolled back alone, on any day.',
    ],
    requirements: [
      { requirement_id: 'req-1', text: 'Any number of tries of one capture leads to exactly one ledger entry.' },
      { requirement_id: 'req-2', text: 'A crash of the shop between two tries changes nothing about req-1.' },
      { requirement_id: 'req-3', text: 'An unknown outcome is settled without a person within 15 minutes.' },
    ],
    agents: {
      agent_a: { name: 'Shop agent', repository: 'acme/shop-backend', service: 'shop-backend' },
      agent_b: { name: 'Ledger agent', repository: 'acme/ledger-service', service: 'ledger-service' },
    },
  },
  decisions: [
    {
      decision_id: 'd_1',
      topic: 'Idempotency key',
      position: 'The shop sends `Idempotency-Key` with the order id; the ledger keeps it for ever.',
    },
    {
      decision_id: 'd_3',
      topic: 'Unknown outcomes',
      position:
        'The ledger settles them:\n- it asks the provider every minute\n- after 15 minutes it reports capture.refused',
    },
  ],
  replaced: [],
};
