import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { Revision } from '../contract/state.ts';
import type { Finding, FindingResponse } from '../findings/state.ts';
import type { SessionState } from '../state.ts';

/** A record that caused a revision. For a `change_request`, the id is the number of the owner's message. */
export interface Cause {
  readonly type: 'change_request' | 'finding' | 'decision' | 'question' | 'intervention';
  readonly id: string;
}

/** Matches ids of records in the reason of a revision. */
const IDS = /\b[fdqi]_[1-9]\d{0,8}\b/g;

/**
 * The records that caused a revision: the owner's request for changes to its parent, the findings that the revision
 * answers, `newDecisions`, and the records that the reason of the revision names.
 * @param newDecisions ids of decisions that this revision's contract names and its parent's contract does not
 */
export function causesOf(state: SessionState, revision: Revision, newDecisions: readonly string[]): Cause[] {
  const { requestSeq, reason } = revision;
  const requested: Cause[] = requestSeq === null ? [] : [{ type: 'change_request', id: String(requestSeq) }];
  const fixed = valuesOf(state.findings.all)
    .filter((finding) => isAnsweredBy(state, finding, revision))
    .map(({ findingId: id }): Cause => ({ type: 'finding', id }));
  const named = [...newDecisions, ...(reason.match(IDS) ?? [])].flatMap((id) => known(state, id));
  const byId = new Map([...requested, ...fixed, ...named].map((cause) => [`${cause.type} ${cause.id}`, cause]));
  return [...byId.values()];
}

const isAnsweredBy = (state: SessionState, { response, otherResponse }: Finding, revision: Revision): boolean =>
  [response, otherResponse].some((given) => given !== null && isFixedIn(state, given, revision));

/**
 * Whether a revision fixes a finding. If an answer accepts the finding without naming a revision, the next revision
 * after that answer counts as the fix.
 */
function isFixedIn(
  { contract }: SessionState,
  given: FindingResponse,
  { revisionId, parentId, seq }: Revision,
): boolean {
  if (given.fixedIn !== null) return given.fixedIn === revisionId;
  const since = lookUp(contract.revisions, parentId ?? '')?.seq ?? 0;
  return given.decision === 'ACCEPT' && given.seq > since && given.seq < seq;
}

function known({ findings, decisions, questions, interventions }: SessionState, id: string): Cause[] {
  if (lookUp(findings.all, id)) return [{ type: 'finding', id }];
  if (lookUp(decisions.all, id)) return [{ type: 'decision', id }];
  if (lookUp(questions.all, id)) return [{ type: 'question', id }];
  return lookUp(interventions.all, id) ? [{ type: 'intervention', id }] : [];
}

/** The texts of a cause. The caller searches them for the name of a changed record. */
export function textOfCause({ findings, decisions }: SessionState, { type, id }: Cause): string {
  if (type === 'finding') {
    const { target, text, response, otherResponse } = lookUp(findings.all, id) ?? {};
    return [target, text, response?.response, otherResponse?.response].join('\n');
  }
  const { topic, position } = lookUp(decisions.all, type === 'decision' ? id : '') ?? {};
  return [topic, position].join('\n');
}
