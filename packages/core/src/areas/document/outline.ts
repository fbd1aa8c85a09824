import { z } from 'zod';
import { BuilderRole } from '../fields.ts';
import { type Contract, EvidencePolicy, GATE_STAGES } from './contract.ts';

const ids = z.array(z.string());

/** The parts of a contract that the rules of the session need: ids, assignees and dependencies. */
export const Outline = z.strictObject({
  decisions: ids,
  fixture_version: z.string(),
  interfaces: z.array(z.strictObject({ id: z.string(), provider: BuilderRole, consumers: z.array(z.string()) })),
  tasks: z.array(z.strictObject({ id: z.string(), assignee: BuilderRole, depends_on: ids })),
  tests: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      executor: BuilderRole,
      responsible: BuilderRole,
      requirements: ids,
      interfaces: ids,
      depends_on: ids,
      evidence_policy: EvidencePolicy.optional(),
    }),
  ),
  gates: z.array(z.strictObject({ id: z.string(), stage: z.enum(GATE_STAGES) })),
  /** The decisions that texts of the contract cite. Absent if no text cites a decision. */
  cited: z.array(z.strictObject({ id: z.string(), pointer: z.string() })).optional(),
});
export type Outline = z.output<typeof Outline>;

export const outlineOf = (contract: Contract): Outline => ({
  decisions: contract.decisions,
  fixture_version: contract.fixture_version,
  interfaces: contract.interfaces.map(({ id, provider, consumers }) => ({ id, provider, consumers })),
  tasks: contract.tasks.map(({ id, assignee, depends_on }) => ({ id, assignee, depends_on })),
  tests: contract.tests.map((test) => ({
    id: test.id,
    title: test.title,
    executor: test.executor,
    responsible: responsibleFor(contract, test),
    requirements: test.requirements,
    interfaces: test.interfaces,
    depends_on: test.depends_on,
    evidence_policy: test.evidence_policy,
  })),
  gates: contract.gates.map(({ id, stage }) => ({ id, stage })),
});

/** The builder that must fix the defects that a test finds. */
export function responsibleFor(
  { interfaces }: Pick<Contract, 'interfaces'>,
  { responsible, interfaces: [first], executor }: Contract['tests'][number],
): Contract['tests'][number]['executor'] {
  return responsible ?? interfaces.find(({ id }) => id === first)?.provider ?? executor;
}
