import type { Contract } from '../../src/areas/document/contract.ts';
import { WholeBoardView } from '../../src/areas/verify/board.ts';
import { canonicalHash } from '../../src/kernel/text/hash.ts';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { changed, SAMPLE_CONTRACT, SAMPLE_MAPPINGS } from '../contract/sample-contract.ts';
import { type Call, decided, handshake, play, submit } from '../story.ts';

export type Builder = 'agent_a' | 'agent_b';
export const A_COMMIT = 'a'.repeat(40);
export const B_COMMIT = 'b'.repeat(40);
export const NEW_COMMIT = 'c'.repeat(40);

/**
 * Past events up to the authorized build, without readiness reports. `members` replace members of the sample contract, and
 * `mapping` replaces the call that submits its mappings.
 */
export function buildOf(members: Partial<Contract>, mapping?: Call): PastEvent[] {
  const contract = changed(members);
  const named = { revision_id: 'r_1', content_hash: canonicalHash(contract) };
  const approved = play(decided, [
    submit('', contract),
    mapping ?? mappingsOf(contract),
    ['agent_a', 'submit_final_review', { ...named, verdict: 'APPROVE' }],
    ['agent_b', 'submit_final_review', { ...named, verdict: 'APPROVE' }],
    ['owner', 'approveContract', named],
  ]);
  return [
    ...approved,
    { kind: 'build.authorized', actor: 'owner', data: { ...named, manifest_id: 'm_1' } },
    { kind: 'phase.changed', actor: 'system', data: { from: 'READINESS', to: 'VERIFY' } },
  ];
}

/** The call that submits the mappings of the sample contract, without the tests that the given contract lacks. */
function mappingsOf({ tests }: Contract): Call {
  const ids = tests.map(({ id }) => id);
  const mappings = SAMPLE_MAPPINGS.map((mapping) => ({
    ...mapping,
    tests: mapping.tests.filter((id) => ids.includes(id)),
  }));
  return ['agent_a', 'submit_preflight', { mappings }];
}

/** Past events up to the handshakes of both builders. `members` replace members of the sample contract. */
export const declaredOf = (members: Partial<Contract>, mapping?: Call): PastEvent[] =>
  play(buildOf(members, mapping), [handshake('agent_a'), handshake('agent_b')]);

const [RESERVE, EXPIRY] = SAMPLE_CONTRACT.tests;

/** The two tests of the sample contract, with some members replaced. */
export function testsWith(
  reserve: Partial<Contract['tests'][number]>,
  expiry: Partial<Contract['tests'][number]> = {},
): Contract['tests'] {
  if (!RESERVE || !EXPIRY) throw new Error('The sample contract has two tests.');
  return [
    { ...RESERVE, ...reserve },
    { ...EXPIRY, ...expiry },
  ];
}

/**
 * Tests of a contract, all executed by agent_a. `test-expiry` and `test-after` depend on `test-reserve`; `test-lone`
 * and `test-reserve` depend on no test.
 */
export const WIDE: Contract['tests'] = testsWith({}, { executor: 'agent_a' }).flatMap((test) =>
  test.id === 'test-reserve'
    ? [{ ...test, id: 'test-lone', requirements: [] }, test]
    : [test, { ...test, id: 'test-after', requirements: [] }],
);

/** The calls of one attempt: the start, the evidence of both builders, and the verdict of the builder that did not start it. */
export const runOf = (scenario_id: string, starter: Builder, attempt = 1, verdict = 'PASS'): Call[] => {
  const judge = starter === 'agent_a' ? 'agent_b' : 'agent_a';
  const said = { kind: 'log', claim: 'It holds.', summary: 'Seen.', request_id: `${scenario_id}-${attempt}` };
  return [
    [starter, 'verify_start_attempt', { scenario_id }],
    [starter, 'verify_submit_evidence', { scenario_id, attempt, ...said }],
    [judge, 'verify_submit_evidence', { scenario_id, attempt, ...said }],
    [judge, 'verify_verify', { scenario_id, attempt, verdict }],
  ];
};

export const board = (past: readonly PastEvent[]) =>
  WholeBoardView.parse(given(past).when('verify_board', {}, 'agent_a').reply());

export const statuses = (past: readonly PastEvent[]): string[] =>
  board(past).scenarios.map(({ scenario_id, status }) => `${scenario_id} ${status}`);

export const items = (past: readonly PastEvent[], by: Builder) => given(past).when('verify_next', {}, by).reply().items;

export const next = (past: readonly PastEvent[], by: Builder): string[] =>
  items(past, by).map(({ tool, scenario_id }) => `${tool} ${scenario_id ?? '-'}`);
