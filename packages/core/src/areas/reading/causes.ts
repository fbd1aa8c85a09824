import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { Revision } from '../contract/record.ts';
import type { Finding, FindingResponse } from '../findings/record.ts';
import type { SessionState } from '../state.ts';

/** A record that caused a revision. For a `change_request`, the id is the number of the owner's message. */
export interface Cause {
  readonly type: 'change_request' | 'finding' | 'decision' | 'question' | 'intervention';
  readonly id: string;
}

/** Matches the number of the owner's message, as in "message 55", "your request 55" or "#55". */
const REQUESTS = /(?:(?<![\w#&])#|\b(?:message|request)\s{1,3}#?)([1-9]\d{0,8})(?!\w|[.,]\d)/giu;

/** Matches ids of records in the reason of a revision. */
const IDS = /\b[fdqi]_[1-9]\d{0,8}\b/g;

/**
 * The records that caused a revision: the owner's requests for changes that the reason of the revision or a finding
 * answered by the revision names, these findings, `newDecisions`, and the records that the reason names. A request is no
 * cause merely because the revision was submitted after the request.
 * @param newDecisions ids of decisions that this revision's contract names and its parent's contract does not
 */
export function causesOf(state: SessionState, revision: Revision, newDecisions: readonly string[]): Cause[] {
  const fixed = valuesOf(state.findings.all)
    .filter((finding) => isAnsweredBy(state, finding, revision))
    .map(({ finding_id: id }): Cause => ({ type: 'finding', id }));
  const texts = [revision.reason, ...fixed.map((cause) => textOfCause(state, cause))];
  const requested = precedingRequests(state, revision)
    .filter((seq) => texts.some((text) => namesRequest(text, seq)))
    .map(requestCause);
  const named = [...newDecisions, ...(revision.reason.match(IDS) ?? [])].flatMap((id) => known(state, id));
  return distinct([...requested, ...fixed, ...named]);
}

/** The causes of a revision, and the requests for changes that the revision follows, whether or not a text names them. */
export const precedingOf = (state: SessionState, revision: Revision): Cause[] =>
  distinct([...revision.request_seqs.map(requestCause), ...causesOf(state, revision, [])]);

const requestCause = (seq: number): Cause => ({ type: 'change_request', id: String(seq) });

const distinct = (causes: readonly Cause[]): Cause[] => [
  ...new Map(causes.map((cause) => [`${cause.type} ${cause.id}`, cause])).values(),
];

/**
 * The numbers of the requests for changes that a revision or an earlier revision followed. If there were requests for
 * changes to several revisions, only those to the latest of these revisions. Empty if there was no request.
 */
const precedingRequests = ({ contract }: SessionState, { seq }: Revision): readonly number[] =>
  valuesOf(contract.revisions)
    .filter((revision) => revision.seq <= seq)
    .findLast(({ request_seqs }) => request_seqs.length > 0)?.request_seqs ?? [];

/** Whether a text names the owner's message with this number, such as "message 55" or "#55". */
export const namesRequest = (text: string, seq: number): boolean =>
  [...text.matchAll(REQUESTS)].some(([, id]) => id === String(seq));

const isAnsweredBy = (state: SessionState, { response, other_response }: Finding, revision: Revision): boolean =>
  [response, other_response].some((given) => given && isFixedIn(state, given, revision));

/**
 * Whether a revision fixes a finding. If an answer accepts the finding without naming a revision, the next revision
 * after that answer counts as the fix.
 */
function isFixedIn(
  { contract }: SessionState,
  given: FindingResponse,
  { revision_id, parent_id, seq }: Revision,
): boolean {
  if (given.fixed_in !== null) return given.fixed_in === revision_id;
  const since = lookUp(contract.revisions, parent_id ?? '')?.seq ?? 0;
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
    const { target, text, response, other_response } = lookUp(findings.all, id) ?? {};
    return [target, text, response?.response, other_response?.response].join('\n');
  }
  const { topic, position } = lookUp(decisions.all, type === 'decision' ? id : '') ?? {};
  return [topic, position].join('\n');
}
