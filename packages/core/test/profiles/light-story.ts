import { given, type PastEvent } from '../../src/testing/index.ts';
import { attempt, type Call, decided, evidence, handshake, play, submit, verdict } from '../story.ts';
import { LIGHT_CONTRACT } from './light-contract.ts';

export const LIGHT = { session: { profile: 'light' } } as const;

export const inLight = (past: readonly PastEvent[], calls: readonly Call[]): PastEvent[] => play(past, calls, LIGHT);

/** The revision r_1 of the light contract is stored. */
export const lightSubmitted = inLight(decided, [submit('', LIGHT_CONTRACT)]);

/** The hash of the latest revision. */
export function hashIn(past: readonly PastEvent[]): string {
  const { latest_revision } = given(past, LIGHT).when('read_session_state', {}, 'agent_a').reply();
  return latest_revision?.content_hash ?? '';
}

const approval = (by: 'agent_a' | 'agent_b', content_hash: string): Call => [
  by,
  'submit_final_review',
  { revision_id: 'r_1', content_hash, verdict: 'APPROVE' },
];

export const lightApproval = { revision_id: 'r_1', content_hash: hashIn(lightSubmitted) };

const certify = (past: readonly PastEvent[]): PastEvent[] =>
  inLight(past, [approval('agent_a', hashIn(past)), approval('agent_b', hashIn(past))]);

export const lightCertified = certify(lightSubmitted);

export const lightApproved = inLight(lightCertified, [['owner', 'approveContract', lightApproval]]);

/** The contract is approved and the build authorized in one call. */
const build = (past: readonly PastEvent[]): PastEvent[] =>
  inLight(past, [
    ['owner', 'approveContract', { revision_id: 'r_1', content_hash: hashIn(past), authorize_build: true }],
  ]);

export const lightBuilding = build(lightCertified);

const PASSED: readonly Call[] = [
  handshake('agent_a'),
  handshake('agent_b'),
  attempt('agent_a', 'test-reserve'),
  evidence('agent_a', 'test-reserve'),
  evidence('agent_b', 'test-reserve'),
  verdict('agent_b', 'test-reserve'),
];

/** Every scenario of the contract has passed. */
export const lightReleasable = inLight(lightBuilding, PASSED);

/** The same with gates that the contract names. */
export const lightPassedWith = (gates: readonly object[]): PastEvent[] =>
  inLight(build(certify(inLight(decided, [submit('', { ...LIGHT_CONTRACT, gates })]))), PASSED);
