import { listOf, uncovered } from '../contracts.ts';
import type { Ledger } from '../ledger.ts';
import { awaitedFor, canAct, isObjected, isOpen } from '../moderation.ts';
import { BUILDERS, type Seen, statesOf } from '../seen.ts';
import { bagsDiffer, type Invariant } from './facts.ts';

/** Derives the blockers of certification from the records in the answers. Yields each as `<code> <record> <responsible>`. */
function* dueBlockers(now: Seen, ledger: Ledger): Generator<string> {
  const state = now.session();
  const { contract_author: author } = state;
  yield* planningDue(now, ledger);
  yield* moderatedDue(now, ledger);
  if (author === null) return;
  if (!ledger.latest) {
    yield `NO_REVISION contract ${author}`;
  } else {
    const { id } = ledger.latest;
    if (ledger.isSentBack) yield `CHANGES_REQUESTED ${id} ${author}`;
    for (const _error of now.plan().validation_errors) yield `VALIDATION_ERROR ${id} ${author}`;
    yield* preflightDue(now, id, author);
    for (const builder of BUILDERS) {
      const verdict = ledger.reviews[builder]?.verdict;
      if (verdict === undefined && !ledger.isSentBack) yield `REVIEW_MISSING ${id}/${builder} ${builder}`;
      if (verdict === 'REQUEST_CHANGES') yield `REVIEW_REQUESTS_CHANGES ${id}/${builder} ${author}`;
    }
  }
  for (const [index, finding] of ledger.moderation.findings.entries()) {
    if (!finding.isBlocking || !isOpen(finding)) continue;
    const { raisedBy } = finding;
    const awaited = awaitedFor(finding, author);
    for (const builder of awaited) yield `FINDING_UNANSWERED f_${index + 1} ${builder}`;
    if (awaited.length === 0)
      yield `FINDING_UNRESOLVED f_${index + 1} ${raisedBy === 'moderator' ? moderatorOr(ledger) : raisedBy}`;
  }
}

/** The role responsible for a task of the moderator: `owner` if no moderator can act, otherwise `moderator`. */
const moderatorOr = ({ moderation }: Ledger): string => (canAct(moderation) ? 'moderator' : 'owner');

function* moderatedDue(now: Seen, ledger: Ledger): Generator<string> {
  const { contract_author: author, phase } = now.session();
  const { moderation, latest } = ledger;
  for (const [index, { cause }] of moderation.holds.entries())
    if (cause === null) yield `HOLD_ACTIVE h_${index + 1} ${moderatorOr(ledger)}`;
  if (latest && phase === 'CONTRACT' && isObjected(moderation, latest.id))
    yield `MODERATOR_REVIEW_REQUESTS_CHANGES ${latest.id}/moderator ${author}`;
  if (author !== null) return;
  // Before the election only the moderator can raise findings. After the election the author has to answer them.
  for (const [index, { status, isBlocking }] of moderation.findings.entries())
    if (status === 'OPEN' && isBlocking) yield `FINDING_UNRESOLVED f_${index + 1} ${moderatorOr(ledger)}`;
}

function* planningDue(now: Seen, { nominatedLast }: Ledger): Generator<string> {
  const { contract_author, nominations, status } = now.session();
  if (status === 'DRAFT') yield 'NOT_STARTED start owner';
  else if (contract_author === null) {
    const only = nominations.length === 1 ? nominations[0]?.by : undefined;
    const follower = only ? BUILDERS.find((builder) => builder !== only) : (nominatedLast ?? 'agent_a');
    yield `NO_CONTRACT_AUTHOR contract_author ${follower}`;
  }
  const { decisions, questions, interventions } = now.view();
  for (const { decision_id, status, accepted_by, proposed_by } of decisions) {
    const other = BUILDERS.find((builder) => builder !== proposed_by);
    const due = accepted_by.some((builder) => builder === other) ? proposed_by : other;
    if (status === 'PROPOSED') yield `DECISION_OPEN ${decision_id} ${due}`;
  }
  for (const { question_id, blocking, status, to } of questions)
    if (blocking && status === 'OPEN') yield `QUESTION_UNANSWERED ${question_id} ${to}`;
  for (const { intervention_id, type, blocking, responses } of interventions) {
    for (const { role, status } of responses) {
      if (type === 'DIRECTIVE' && status === 'OPEN') yield `DIRECTIVE_UNACKNOWLEDGED ${intervention_id} ${role}`;
      const isUnanswered = status === 'OPEN' || status === 'ACKNOWLEDGED';
      if (type === 'QUESTION' && blocking && isUnanswered) yield `INTERVENTION_UNANSWERED ${intervention_id} ${role}`;
    }
  }
}

/**
 * Yields the blockers that the preflight of a revision must have, if the contract fits the schema. A requirement that a task or
 * a test names needs no mapping.
 */
export function* preflightDue(now: Seen, revisionId: string, author: string): Generator<string> {
  const { contract, validation_errors } = now.plan();
  if (validation_errors.some(({ code }) => code === 'SCHEMA')) return;
  const mappings = now.preflight()?.mappings ?? [];
  const bare = new Set(uncovered(contract));
  if ([...bare].some((id) => !mappings.some(({ requirement_id }) => requirement_id === id)))
    yield `PREFLIGHT_MISSING ${revisionId} ${author}`;
  const idsOf = (kind: string): string[] =>
    listOf(Object(contract)[kind]).map((item) => (kind === 'decisions' ? String(item) : String(Object(item).id)));
  for (const { requirement_id, decisions, tasks, tests, gates } of mappings) {
    if (!bare.has(requirement_id)) continue;
    const named = Object.entries({ decisions, tasks, tests, gates });
    const all = named.flatMap(([kind, ids]) => ids.map((id) => ({ id, isThere: idsOf(kind).includes(id) })));
    const missing = all.filter(({ isThere }) => !isThere);
    if (missing.length === 0) continue;
    const code = missing.length === all.length ? 'PREFLIGHT_INCOMPLETE' : 'PREFLIGHT_DANGLING';
    yield `${code} ${requirement_id} ${author}`;
  }
}

/** Every view shows exactly the blockers that this model derives from the records. */
export const blockersAreRight: Invariant = function* ({ now, ledger }) {
  const { blockers } = now.blockers();
  const shown = blockers.map(({ code, record, responsible }) => `${code} ${record.id} ${responsible}`);
  yield* bagsDiffer('the blocker', shown, [...dueBlockers(now, ledger)]);
  for (const { role, blockers: shownTo } of statesOf(now)) {
    const { count, first } = shownTo;
    const isNext = ({ responsible, waits_for }: (typeof blockers)[number]): boolean =>
      responsible === role && waits_for === undefined;
    const due = [...blockers.filter(isNext), ...blockers.filter((blocker) => !isNext(blocker))]
      .slice(0, 5)
      .map(({ code, record, responsible, waits_for, message }) => ({
        ...{ code, record, responsible },
        ...(waits_for === undefined ? {} : { waits_for }),
        ...(code === 'VALIDATION_ERROR' ? { message } : {}),
      }));
    if (count !== blockers.length || JSON.stringify(first) !== JSON.stringify(due))
      yield `the state of ${role} shows other blockers than list_blockers`;
  }
};

/** A revision is certified if and only if nothing blocks it. Every view shows the same revision and status. */
export const certificationIsRight: Invariant = function* ({ now, ledger }) {
  const { certified, blockers, latest_revision } = now.blockers();
  if (certified !== (blockers.length === 0)) yield `certified is ${certified} with ${blockers.length} blockers`;
  if (!ledger.latest) {
    if (latest_revision) yield `a revision ${latest_revision.revision_id} that nobody submitted`;
    if (certified) yield 'certified without a revision';
    return;
  }
  const { status, revision_id, content_hash, validation_errors, certified: isCertified } = now.plan();
  if (isCertified !== certified) yield 'get_final_plan and list_blockers differ about certified';
  const open = validation_errors.length > 0 ? 'INVALID' : 'IN_REVIEW';
  const due = ledger.frozen ? 'APPROVED' : certified ? 'CERTIFIED' : open;
  if (status !== due) yield `the revision is ${status}; ${due} is due`;
  if (revision_id !== ledger.latest.id) yield `the latest revision is ${revision_id}; ${ledger.latest.id} is due`;
  for (const { role, latest_revision: ref } of statesOf(now)) {
    if (ref?.revision_id !== revision_id || ref?.status !== status || ref?.content_hash !== content_hash)
      yield `the state of ${role} shows another revision than get_final_plan`;
  }
};

/** A review is current until a new revision replaces its revision or the owner requests changes. */
export const reviewsAreRight: Invariant = function* ({ now, ledger }) {
  if (!ledger.latest) return;
  for (const { by, outdated, verdict, revision_id, content_hash } of now.plan().reviews) {
    const counting = ledger.reviews[by];
    if (outdated === (counting !== undefined)) yield `the review of ${by} on ${revision_id} has outdated ${outdated}`;
    if (counting && (counting.verdict !== verdict || counting.hash !== content_hash))
      yield `the review of ${by} is shown as ${verdict} on ${content_hash}`;
  }
};
