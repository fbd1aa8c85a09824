import { domain } from '../../src/areas/domain.ts';
import type { ProfileName } from '../../src/areas/profiles.ts';
import { prepareEvents } from '../../src/kernel/session/append.ts';
import { goodContract, hashOf, REQUIREMENTS } from '../model/contracts.ts';
import { accept, by, nominate, propose, review } from '../model/starting-states.ts';
import { type Call, makeAll, openWorld, type World } from '../model/world.ts';

export type Builder = 'agent_a' | 'agent_b';
export const BUILDERS: readonly Builder[] = ['agent_a', 'agent_b'];
export const other = (builder: Builder): Builder => (builder === 'agent_a' ? 'agent_b' : 'agent_a');

/** A test of the contract, and the facts that the model expects from it. */
export interface Check {
  readonly id: string;
  readonly executor: Builder;
  /** The builder that must fix the defect if this test fails. */
  readonly mender: Builder;
  readonly requirement: 'R1' | 'R2';
  readonly depends_on: readonly string[];
  readonly policy: {
    readonly min_items?: number;
    readonly correlated?: boolean;
    readonly carry?: 'owner' | 'other_agent';
    readonly per_agent_kinds?: { readonly agent_b: readonly string[] };
  };
  /** The members of the contract's test that make `mender` responsible for the defect. */
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * The tests of the contract. agent_a executes `t1`; agent_b executes `t2` and `t3`. Together the tests use every member
 * of an evidence policy.
 */
export const CHECKS: readonly Check[] = [
  {
    id: 't1',
    executor: 'agent_a',
    mender: 'agent_b',
    requirement: 'R1',
    depends_on: [],
    policy: { carry: 'other_agent' },
    members: { interfaces: ['api'] },
  },
  {
    id: 't2',
    executor: 'agent_b',
    mender: 'agent_b',
    requirement: 'R2',
    depends_on: ['t1'],
    policy: { correlated: false, carry: 'owner' },
    members: { interfaces: [] },
  },
  {
    id: 't3',
    executor: 'agent_b',
    mender: 'agent_a',
    requirement: 'R1',
    depends_on: [],
    policy: { min_items: 2, per_agent_kinds: { agent_b: ['manual'] } },
    members: { interfaces: ['api'], responsible: 'agent_a' },
  },
];

const CONTRACT = {
  ...goodContract(['d_1']),
  tests: CHECKS.map(({ id, executor, requirement, depends_on, policy, members }) => ({
    id,
    title: `Check ${id}`,
    given: 'stock',
    when: 'an order comes',
    // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a contract's test.
    then: 'it is reserved',
    executor,
    requirements: [requirement],
    depends_on,
    evidence_policy: policy,
    ...members,
  })),
};
const HASH = hashOf(CONTRACT);
const MAPPINGS = [
  { requirement_id: 'R1', tasks: ['task-a'], tests: ['t1', 't3'] },
  { requirement_id: 'R2', tasks: ['task-b'], tests: ['t2'] },
];

/** The calls that submit the contract again as a new revision, and approve that revision. */
const approvalOf = (parent: string, next: string): Call[] => [
  by('agent_a', 'submit_contract', { contract: CONTRACT, expected_parent_id: parent, reason: 'As decided.' }),
  by('agent_a', 'submit_preflight', { mappings: MAPPINGS }),
  review('agent_a', 'APPROVE', next, HASH),
  review('agent_b', 'APPROVE', next, HASH),
  by('owner', 'approveContract', { revision_id: next, content_hash: HASH }),
];

/** Approves the next revision and authorizes its build. Leaves out the readiness reports between these steps. */
export function rebuilt(world: World): World {
  const count = world.state.contract.revisions.size;
  const approved = makeAll(world, approvalOf(count === 0 ? '' : `r_${count}`, `r_${count + 1}`));
  const data = { manifest_id: `m_${approved.state.manifest.count}`, revision_id: `r_${count + 1}`, content_hash: HASH };
  const { state, stored } = prepareEvents(
    domain,
    approved.state,
    [
      { kind: 'build.authorized', actor: 'owner', data },
      { kind: 'phase.changed', actor: 'system', data: { from: 'READINESS', to: 'VERIFY' } },
    ],
    0,
  );
  return { ...approved, state, log: [...approved.log, ...stored] };
}

/** The build is authorized, but no handshake is declared. */
export const begunIn = (profile: ProfileName): World =>
  rebuilt(
    makeAll(openWorld({ requirements: REQUIREMENTS, round_limit: 3, profile }), [
      propose('agent_a'),
      ...accept(),
      ...nominate('agent_a'),
    ]),
  );
