import type { Contract } from '../../src/areas/document/contract.ts';
import type { PastEvent } from '../../src/testing/index.ts';
import { type Call, handshake, play } from '../story.ts';
import { A_COMMIT, B_COMMIT, type Builder, declaredOf, NEW_COMMIT, runOf, testsWith } from './builds.ts';

type Carry = 'owner' | 'other_agent';

export const DOCS = { [A_COMMIT]: ['README.md', 'test/orders.test.ts'] };

/** Both scenarios have passed. `carry` is the policy of both tests; without it nobody may carry a pass over. */
export const passedWith = (carry?: Carry): PastEvent[] => {
  const evidence_policy: Contract['tests'][number]['evidence_policy'] = carry && { carry };
  const policy = evidence_policy ? { evidence_policy } : {};
  return play(declaredOf({ tests: testsWith(policy, policy) }), [
    ...runOf('test-reserve', 'agent_a'),
    ...runOf('test-expiry', 'agent_b'),
  ]);
};

/** agent_a declares NEW_COMMIT, and which paths it changes. */
export const redeclared = (changes: Readonly<Record<string, readonly string[]>> = DOCS, commit = NEW_COMMIT): Call =>
  handshake('agent_a', { commit, changes });

export const staleOf = (carry?: Carry, ...calls: readonly Call[]): PastEvent[] =>
  play(passedWith(carry), calls.length > 0 ? calls : [redeclared()]);

export const REASON = 'README and a test only.';

export const carriedByOwner = (scenario_id = 'test-reserve'): Call => [
  'owner',
  'carryPass',
  { scenario_id, reason: REASON },
];

export const carriedBy = (by: Builder, changes: object = {}): Call => [
  by,
  'verify_verify',
  { scenario_id: 'test-reserve', attempt: 1, verdict: 'CARRY', commit: NEW_COMMIT, note: REASON, ...changes },
];

/** What is stored if the pass of `test-reserve` in `staleOf` is carried over. */
export const passCarried = (actor: 'owner' | Builder): PastEvent => ({
  kind: 'pass.carried',
  actor,
  data: {
    scenario_id: 'test-reserve',
    attempt: 1,
    verified: { agent_a: A_COMMIT, agent_b: B_COMMIT },
    commits: { agent_a: NEW_COMMIT, agent_b: B_COMMIT },
    reason: REASON,
    changes: [{ declared_by: 'agent_a', since: A_COMMIT, paths: 2 }],
  },
});
