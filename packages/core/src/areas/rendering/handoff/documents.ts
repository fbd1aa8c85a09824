import type { Builder } from '../../../kernel/roles.ts';
import type { Contract } from '../../document/contract.ts';
import { responsibleFor } from '../../document/outline.ts';
import type { HandoffFacts } from './handoff.ts';

type Facts = Pick<HandoffFacts, 'revision_id' | 'content_hash'>;

const approved = ({ fixture_version }: Contract, { revision_id, content_hash }: Facts) => ({
  revision_id,
  content_hash,
  fixture_version,
});

/** The content of handshake.json: the facts that each service must declare before the verification. */
export const handshakeDocument = (contract: Contract, facts: Facts & Pick<HandoffFacts, 'mission'>) => ({
  ...approved(contract, facts),
  services: { agent_a: serviceOf(contract, 'agent_a', facts), agent_b: serviceOf(contract, 'agent_b', facts) },
  interfaces: contract.interfaces.map(({ id, name, kind, provider, consumers, operations }) => ({
    id,
    name,
    kind,
    provider,
    consumers,
    operations: operations.map((operation) => operation.name),
  })),
});

function serviceOf({ interfaces }: Contract, builder: Builder, { mission }: Pick<HandoffFacts, 'mission'>) {
  const { service, repository } = mission.agents[builder];
  return {
    service,
    repository,
    provides: interfaces.filter(({ provider }) => provider === builder).map(({ id }) => id),
    consumes: interfaces.filter(({ consumers }) => consumers.includes(builder)).map(({ id }) => id),
  };
}

/** The content of verification-plan.json: one scenario for each test, with default values filled in, and the gates. */
export const verificationPlanDocument = (contract: Contract, facts: Facts) => ({
  ...approved(contract, facts),
  scenarios: contract.tests.map((test) => ({
    scenario_id: test.id,
    title: test.title,
    given: test.given,
    when: test.when,
    // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
    then: test.then,
    executor: test.executor,
    responsible: responsibleFor(contract, test),
    requirements: test.requirements,
    interfaces: test.interfaces,
    depends_on: test.depends_on,
    evidence_policy: test.evidence_policy ?? null,
  })),
  gates: contract.gates,
});
