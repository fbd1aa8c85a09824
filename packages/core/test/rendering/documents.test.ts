import { describe, expect, test } from 'vitest';
import { handshakeDocument, verificationPlanDocument } from '../../src/areas/rendering/handoff.ts';
import { FULL_CONTRACT } from '../full-contract/full-contract.ts';
import { EXAMPLE_FACTS } from './facts.ts';

const APPROVED = {
  revision_id: 'r_2',
  content_hash: '6f1c0f7a5d2b4c9e8a3d1b0f4e7c6a5928f0d3b1c4e5a697b8c9d0e1f2a3b4c5',
  fixture_version: 'capture-2026-11',
};

test('handshakeDocument names the services and the interfaces between them', () => {
  expect(handshakeDocument(FULL_CONTRACT, EXAMPLE_FACTS)).toEqual({
    ...APPROVED,
    services: {
      agent_a: {
        service: 'shop-backend',
        repository: 'acme/shop-backend',
        provides: [],
        consumes: ['captures-api', 'capture-events'],
      },
      agent_b: {
        service: 'ledger-service',
        repository: 'acme/ledger-service',
        provides: ['captures-api', 'capture-events'],
        consumes: [],
      },
    },
    interfaces: [
      {
        id: 'captures-api',
        name: 'Captures of the ledger',
        kind: 'http',
        provider: 'agent_b',
        consumers: ['agent_a'],
        operations: ['POST /v1/captures', 'GET /v1/captures/{order_id}'],
      },
      {
        id: 'capture-events',
        name: 'Outcomes of captures',
        kind: 'event',
        provider: 'agent_b',
        consumers: ['agent_a', 'external:support desk'],
        operations: ['capture.settled', 'capture.refused'],
      },
    ],
  });
});

describe('verificationPlanDocument', () => {
  const plan = verificationPlanDocument(FULL_CONTRACT, EXAMPLE_FACTS);

  test('has a scenario for each test', () => {
    expect(plan).toMatchObject(APPROVED);
    expect(plan.scenarios).toHaveLength(2);
    expect(plan.scenarios[0]).toEqual({
      scenario_id: 'test-retry',
      title: 'A lost answer does not charge twice',
      given: 'Order o-1001 of captures.fixture.json, and a ledger that drops its first answer.',
      when: 'The shop tries the capture until it gets an answer.',
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a contract's test.
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
    });
  });

  test('names who must fix a failure: the provider of the first interface, otherwise the executor', () => {
    expect(plan.scenarios[1]).toMatchObject({ responsible: 'agent_b', evidence_policy: null });
    const tests = FULL_CONTRACT.tests.map((test) => ({ ...test, executor: 'agent_a' as const, interfaces: [] }));
    const without = verificationPlanDocument({ ...FULL_CONTRACT, tests }, EXAMPLE_FACTS);
    expect(without.scenarios.map(({ responsible }) => responsible)).toEqual(['agent_b', 'agent_a']);
  });

  test('names the gates', () => {
    expect(plan.gates.map(({ id, stage }) => [id, stage])).toEqual([
      ['gate-build', 'build'],
      ['gate-deployment', 'deployment'],
      ['gate-activation', 'activation'],
    ]);
  });
});
