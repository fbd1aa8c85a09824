import { type GivenOptions, given, type OperationName, type PastEvent } from '../src/testing/index.ts';
import { SAMPLE_CONTRACT, SAMPLE_HASH, SAMPLE_MAPPINGS } from './contract/sample-contract.ts';
import { accepted, elected, proposed } from './past.ts';

type Caller = 'agent_a' | 'agent_b' | 'moderator' | 'owner';
export type Call = readonly [caller: Caller, name: OperationName, input?: Readonly<Record<string, unknown>>];

/** Whether Parley derives this event from an obligation, so that `given` derives it again. */
const isDerived = (past: readonly PastEvent[], { kind, actor, data }: PastEvent): boolean => {
  if (actor !== 'system' || !kind.startsWith('action.')) return false;
  if (kind === 'action.opened') return data.obligation !== undefined;
  return !past.some(
    (event) => event.kind === 'action.opened' && 'action_id' in data && event.data.action_id === data.action_id,
  );
};

/** Makes the calls in order. Returns past events for `given`, but not the events that `given` derives again. */
export function play(past: readonly PastEvent[], calls: readonly Call[], options?: GivenOptions): PastEvent[] {
  const events = [...past];
  for (const [caller, name, input = {}] of calls) {
    const stored = given(events, options)
      .when(name, input as never, caller)
      .events();
    for (const event of stored) if (!isDerived(events, event)) events.push(event);
  }
  return events;
}

/** agent_a is the Contract Author, and the decision d_1 is RESOLVED. */
export const decided: readonly PastEvent[] = [
  proposed('agent_a', 'd_1'),
  accepted('agent_a', 'd_1'),
  accepted('agent_b', 'd_1'),
  ...elected('agent_a'),
];

export const submit = (parent: string, contract: unknown = SAMPLE_CONTRACT): Call => [
  'agent_a',
  'submit_contract',
  { contract, expected_parent_id: parent, reason: 'As decided.' },
];

export const review = (by: 'agent_a' | 'agent_b', verdict = 'APPROVE', revision_id = 'r_1'): Call => [
  by,
  'submit_final_review',
  { revision_id, content_hash: SAMPLE_HASH, verdict },
];

const mapAll: Call = ['agent_a', 'submit_preflight', { mappings: SAMPLE_MAPPINGS }];

/** The revision r_1 is valid, and every requirement is mapped. */
export const submitted: readonly PastEvent[] = play(decided, [submit(''), mapAll]);

/** Both builders have approved r_1. */
export const certified: readonly PastEvent[] = play(submitted, [review('agent_a'), review('agent_b')]);

export const approve: Call = ['owner', 'approveContract', { revision_id: 'r_1', content_hash: SAMPLE_HASH }];

/** The manifest of r_1 is frozen, and the phase is READINESS. */
export const approved: readonly PastEvent[] = play(certified, [approve]);

type Manifest = {
  artifacts: { filename: string; sha256: string; assigned_to: string[] }[];
  handshake_sha256: string;
  shared_contract_sha256: string;
};

const manifestOf = (past: readonly PastEvent[]): Manifest => {
  const { manifest } = given(past).when('list_artifacts', {}, 'agent_a').reply();
  if (!manifest) throw new Error('There is no frozen manifest: the owner has not approved a contract.');
  return manifest;
};

/** The calls with which a builder confirms all of its artifacts. */
export const receipts = (past: readonly PastEvent[], by: 'agent_a' | 'agent_b'): Call[] =>
  manifestOf(past)
    .artifacts.filter(({ assigned_to }) => assigned_to.includes(by))
    .map(({ filename, sha256 }) => [by, 'confirm_receipt', { filename, sha256 }]);

/** A readiness report in which the builder answers both of its questions. */
export function rightReport(past: readonly PastEvent[], by: 'agent_a' | 'agent_b') {
  const { handshake_sha256, shared_contract_sha256 } = manifestOf(past);
  const answers = [`The side of ${by}: a 409 is tried again once.`, 'The public API stays.'];
  return {
    revision_id: 'r_1',
    content_hash: SAMPLE_HASH,
    verdict: 'READY_TO_CODE' as const,
    handshake_sha256,
    shared_contract_sha256,
    fixture_version: '1',
    answers: answers.map((answer, index) => ({ question_id: `rq_${index + 1}`, answer })),
  };
}

/** Both builders have confirmed every receipt. */
export const received: readonly PastEvent[] = play(approved, [
  ...receipts(approved, 'agent_a'),
  ...receipts(approved, 'agent_b'),
]);

/** The report of a builder that has confirmed its receipts, but cannot begin. */
export const blockedReport = (by: 'agent_a' | 'agent_b'): Call => [
  by,
  'submit_readiness',
  { ...rightReport(received, by), verdict: 'BLOCKED', blockers: ['No access to staging.'] },
];

/** Both builders are READY_TO_CODE. */
export const reported: readonly PastEvent[] = play(received, [
  ['agent_a', 'submit_readiness', rightReport(received, 'agent_a')],
  ['agent_b', 'submit_readiness', rightReport(received, 'agent_b')],
]);

/** The call by which a builder confirms all answers of the other builder. */
export function confirmation(past: readonly PastEvent[], by: 'agent_a' | 'agent_b'): Call {
  const { to_confirm } = given(past).when('get_readiness_questions', {}, by).reply();
  return [by, 'complete_action', { action_id: to_confirm?.action_id ?? '' }];
}

/** Both builders are READY_TO_CODE and have confirmed each other's answers. */
export const ready: readonly PastEvent[] = play(reported, [
  confirmation(reported, 'agent_a'),
  confirmation(reported, 'agent_b'),
]);

/** The build is authorized, and the phase is VERIFY. */
export const building: readonly PastEvent[] = play(ready, [['owner', 'authorize', { stage: 'build' }]]);

type Builder = 'agent_a' | 'agent_b';

/** The commits that the builders declare by default. */
export const COMMITS = { agent_a: 'a'.repeat(40), agent_b: 'b'.repeat(40) };

export const handshake = (by: Builder, changes: Readonly<Record<string, unknown>> = {}): Call => [
  by,
  'verify_handshake',
  {
    service: by === 'agent_a' ? 'orders-api' : 'stock-api',
    version: '1.0.0',
    commit: COMMITS[by],
    environment: 'staging',
    ready: true,
    dependencies_healthy: true,
    ...changes,
  },
];

/** Both builders have declared a handshake as ready and healthy. */
export const declared: readonly PastEvent[] = play(building, [handshake('agent_a'), handshake('agent_b')]);

export const attempt = (by: Builder, scenario_id: string): Call => [by, 'verify_start_attempt', { scenario_id }];

export const evidence = (
  by: Builder,
  scenario_id: string,
  number = 1,
  changes: Readonly<Record<string, unknown>> = {},
): Call => [
  by,
  'verify_submit_evidence',
  {
    scenario_id,
    attempt: number,
    kind: 'log',
    claim: 'It holds.',
    summary: 'Two units were reserved.',
    request_id: 'req-1',
    ...changes,
  },
];

export const verdict = (by: Builder, scenario_id: string, number = 1, said = 'PASS'): Call => [
  by,
  'verify_verify',
  { scenario_id, attempt: number, verdict: said },
];

/** agent_a has started an attempt of `test-reserve`, and both builders have submitted evidence. There is no verdict. */
export const awaiting: readonly PastEvent[] = play(declared, [
  attempt('agent_a', 'test-reserve'),
  evidence('agent_a', 'test-reserve'),
  evidence('agent_b', 'test-reserve'),
]);

/** The test `test-reserve` has passed. */
export const firstPassed: readonly PastEvent[] = play(awaiting, [verdict('agent_b', 'test-reserve')]);

/** Both scenarios have passed, and every certification check holds. */
export const releasable: readonly PastEvent[] = play(firstPassed, [
  attempt('agent_b', 'test-expiry'),
  evidence('agent_b', 'test-expiry', 1, { request_id: 'req-2' }),
  evidence('agent_a', 'test-expiry', 1, { request_id: 'req-2' }),
  verdict('agent_a', 'test-expiry'),
]);

/** The deployment is authorized, and the phase is RELEASE. */
export const deployed: readonly PastEvent[] = play(releasable, [['owner', 'authorize', { stage: 'deployment' }]]);

/** The test `test-reserve` has failed once, and its defect `def_1` is open. */
export const failed: readonly PastEvent[] = play(awaiting, [verdict('agent_b', 'test-reserve', 1, 'FAIL')]);
