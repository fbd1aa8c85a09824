import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { type Agent, BUILDERS, type Builder, otherBuilder } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import { preflightFaults, unmappedIn } from '../contract/preflight.ts';
import { validationOf } from '../contract/rules.ts';
import type { Revision } from '../contract/state.ts';
import { activeHolds, awaitedFor, closerOf, openFindings, resolutionCall, responseCall } from '../findings/rules.ts';
import type { Finding } from '../findings/state.ts';
import { named } from '../listing.ts';
import { acceptancesDue } from '../planning/decisions.ts';
import { termsOf } from '../profiles.ts';
import {
  currentReview,
  howToRead,
  moderatorReviewCall,
  reviewCall,
  reviewersDue,
  standingObjection,
} from '../reviews/rules.ts';
import type { Review } from '../reviews/state.ts';
import type { SessionState } from '../state.ts';
import { about, type QuietTask, type Task } from '../task.ts';

/** The tasks of the Contract Author: to write the contract, to change it, to correct it, and to map the requirements. */
export function* contractTasks(state: SessionState): Generator<QuietTask> {
  const { election, contract } = state;
  const { contract_author: author } = election;
  if (author === null) return;
  if (!contract.latest) {
    yield firstRevision(author);
    return;
  }
  const revision = { author, type: 'revision', id: contract.latest.revision_id };
  if (contract.requests.length > 0)
    yield revisionTask(
      state,
      { ...revision, reviewer: 'owner' },
      {
        code: 'CHANGES_REQUESTED',
        message: `The owner requested changes of ${revision.id} in ${contract.requests.map(({ message_id }) => `message #${message_id}`).join(' and ')}; the text of each request is among the owner's directives.`,
      },
    );
  for (const { code, pointer, message } of validationOf(state).errors)
    yield correction(revision, `${code} at ${pointer === '' ? 'the whole contract' : pointer}: ${message}`);
  yield* preflightTasks(state, revision);
}

/** The task of the Contract Author to write the first revision. */
export const firstRevision = (author: Builder): QuietTask =>
  authorTask({ author, type: 'session', id: 'contract' }, 'WRITE_CONTRACT', {
    code: 'NO_REVISION',
    message: 'There is no contract revision yet.',
    text: 'Write the contract by the schema of get_contract_schema, check it with validate_contract_draft, then submit it with submit_contract. approve: true is your review of it, in the same call.',
    tool: 'submit_contract',
    payload: { contract: '<the whole contract>', expected_parent_id: '', reason: '<your reason>', approve: true },
  });

interface Subject {
  readonly author: 'agent_a' | 'agent_b';
  readonly type: string;
  readonly id: string;
}

type Stopping = NonNullable<Task['stops']>;
type Fault = Pick<Stopping, 'code' | 'message' | 'text'> & Required<Pick<Task, 'tool' | 'payload'>>;

/** A task of the author that stops certification. `more` distinguishes tasks about the same record. */
function authorTask({ author, type, id }: Subject, code: Task['code'], fault: Fault, more?: string): QuietTask {
  const { tool, payload, text, ...why } = fault;
  const record = { type, id };
  return { ...about(code, author, record, more), tool, payload, text, stops: { ...why, record, text } };
}

/** The task to submit a new revision, which somebody has requested. The record is that of the request. */
function revisionTask(
  state: SessionState,
  { author, type, id, reviewer }: Subject & { readonly reviewer: string },
  why: Pick<Stopping, 'code' | 'message'>,
): QuietTask {
  const latest = state.contract.latest?.revision_id ?? '';
  const text = `${decisionsFirst(state, latest)} submit a new revision with submit_contract, or patch ${latest} with patch_contract, and approve it with approve: true in the same call.${nameRequests(state)}`;
  const payload = {
    contract: '<the whole contract>',
    expected_parent_id: latest,
    reason: '<your reason>',
    approve: true,
    ...(state.contract.requests.length > 0 && { causes: requestIds(state) }),
  };
  return authorTask(
    { author, type, id },
    'REVISE_CONTRACT',
    { ...why, text, tool: 'submit_contract', payload },
    reviewer,
  );
}

const requestIds = ({ contract }: SessionState): string[] =>
  contract.requests.map(({ message_id }) => String(message_id));

/** The sentence that asks the author to name the owner's requests as causes. Empty if the owner requested nothing. */
function nameRequests(state: SessionState): string {
  const names = requestIds(state).map((id) => `"${id}"`);
  if (names.length === 0) return '';
  return ` Name ${names.join(' and ')} in causes, so that the owner sees which request you fulfil.`;
}

/** The beginning of the text of a revision: the decisions that must be accepted or replaced before it. */
function decisionsFirst({ decisions, contract: { outline } }: SessionState, id: string): string {
  const open = BUILDERS.flatMap((builder) =>
    acceptancesDue(decisions, builder).map(({ decision_id }) => `${decision_id} by ${builder}`),
  );
  if (open.length > 0)
    return `Decisions that are not accepted yet: ${named(open, MAX_NAMED)}. When every decision is accepted, make the requested changes:`;
  const replaced = (outline?.decisions ?? []).filter((one) => lookUp(decisions.all, one)?.status === 'SUPERSEDED');
  return replaced.length > 0
    ? `${id} names superseded decisions: ${named(replaced, MAX_NAMED)}. In place of each, name the decision that replaced it, and make the requested changes:`
    : 'You propose the new position of each decision that the request touches, with submit_decision (same topic, accept: true); wait until the other agent accepts it. Then make the changes:';
}

const MAX_NAMED = 5;

const patchCall = (expected_parent_id: string): Required<Pick<Task, 'tool' | 'payload'>> => ({
  tool: 'patch_contract',
  payload: {
    expected_parent_id,
    reason: '<your reason>',
    approve: true,
    ops: '<the operations that correct the error>',
  },
});

const correction = (revision: Subject, message: string): QuietTask =>
  authorTask(
    revision,
    'CORRECT_CONTRACT',
    {
      code: 'VALIDATION_ERROR',
      message,
      text: 'Correct the error with patch_contract, or submit a corrected revision with submit_contract. approve: true is your review of it, in the same call.',
      ...patchCall(revision.id),
    },
    message,
  );

function* preflightTasks(state: SessionState, revision: Subject): Generator<QuietTask> {
  const { preflight, contract } = state;
  // A contract that breaks its schema has no outline, so a preflight has no ids to name. The schema error is a task
  // already.
  if (!contract.outline) return;
  const call = { tool: 'submit_preflight', payload: { mappings: '<one mapping per requirement>' } };
  const mappings = preflight?.mappings ?? [];
  const unmapped = unmappedIn(state, contract.outline, mappings);
  if (unmapped.length > 0) {
    const which = named(unmapped, MAX_NAMED);
    const asked = termsOf(state).asksPreflight;
    yield authorTask(revision, 'MAP_REQUIREMENTS', {
      code: 'PREFLIGHT_MISSING',
      message: `No task and no test names ${which}, and no preflight maps it.`,
      text: `Name ${which} in a task and a test of the contract${asked ? ', or map it to decisions or gates with submit_preflight' : ''}.`,
      ...(asked ? call : patchCall(revision.id)),
    });
  }
  for (const { requirement_id: id, isUnmapped, missing } of preflightFaults(contract.outline, mappings))
    yield authorTask({ ...revision, type: 'requirement', id }, 'MAP_REQUIREMENTS', {
      code: isUnmapped ? 'PREFLIGHT_INCOMPLETE' : 'PREFLIGHT_DANGLING',
      message: `The mapping of ${id} names records that ${revision.id} does not have: ${missing.join(', ')}.`,
      text: `Send a new mapping for ${id} with submit_preflight; the other mappings are kept.`,
      ...call,
    });
}

/** The tasks about findings, holds and reviews of the latest revision. */
export function* reviewTasks(state: SessionState): Generator<Task> {
  yield* findingTasks(state);
  yield* holdTasks(state);
  yield* verdictTasks(state);
}

/** The tasks to answer open findings, also those that do not block, and to close the blocking findings. */
function* findingTasks(state: SessionState): Generator<Task> {
  const { contract_author: author } = state.election;
  for (const finding of openFindings(state.findings)) {
    const awaited = awaitedFor(finding, author);
    if (finding.blocking && awaited.length === 0) yield closing(state, finding);
    for (const due_to of awaited) yield response(finding, due_to);
  }
}

function response({ finding_id: id, blocking }: Finding, due_to: Builder): Task {
  const record = { type: 'finding', id };
  const call = responseCall(id);
  const text = `Answer finding ${id}: accept it and correct the contract, or reject it with your reason.`;
  const task: Task = {
    ...about('RESPOND_FINDING', due_to, record),
    ...call,
    text,
    action: { ...call, text },
  };
  if (!blocking) return task;
  return {
    ...task,
    stops: {
      code: 'FINDING_UNANSWERED',
      record,
      message: `Finding ${id} is not answered by ${due_to} yet.`,
      text: 'Answer with respond_finding: accept the finding and name the revision that corrects it, or reject the finding with your reason.',
    },
  };
}

/**
 * The task to close a blocking finding, for the agent that raised it. If the moderator raised it and cannot act, for the
 * owner.
 */
function closing(state: SessionState, finding: Finding): Task {
  const { finding_id: id, raised_by, status } = finding;
  const record = { type: 'finding', id };
  const due_to = closerOf(state, finding);
  const said = status === 'RESPONDED' ? 'was answered' : 'waits for an answer';
  const list = raised_by === 'moderator' ? 'get_moderator_findings' : 'list_findings';
  const text =
    due_to === 'owner'
      ? `No moderator can act. Invite a moderator, restore the stopped moderator, or override finding ${id}.`
      : `Read the response with ${list}, then close the finding with resolve_finding as RESOLVED or WITHDRAWN.`;
  const message = `Finding ${id} ${said}; ${raised_by} raised it and has not closed it.`;
  return {
    ...about('CLOSE_FINDING', due_to, record),
    ...(due_to === 'owner'
      ? { tool: 'overrideFinding', payload: { finding_id: id, reason: '<your reason>' } }
      : resolutionCall(id)),
    text: `You raised finding ${id}, which is still open. ${text}`,
    stops: { code: 'FINDING_UNRESOLVED', record, message, text },
  };
}

function* holdTasks(state: SessionState): Generator<Task> {
  const due_to = hasModerator(state) ? 'moderator' : 'owner';
  for (const { hold_id: id, finding_id } of activeHolds(state.holds)) {
    const record = { type: 'hold', id };
    const message = `Hold ${id} on finding ${finding_id} stops the approval and every authorization.`;
    const text =
      due_to === 'owner'
        ? `No moderator can act. Invite a moderator, restore the stopped moderator, or release hold ${id} yourself.`
        : `Release hold ${id} with release_hold when finding ${finding_id} no longer requires it. Resolving ${finding_id} releases the hold too.`;
    yield {
      ...about('RELEASE_HOLD', due_to, record),
      ...(due_to === 'owner'
        ? { tool: 'releaseHold', payload: { hold_id: id, reason: '<your reason>' } }
        : { tool: 'release_hold', payload: { hold_id: id } }),
      text,
      stops: { code: 'HOLD_ACTIVE', record, message, text },
    };
  }
}

/** The reviews of the latest revision that are missing, and the new revisions that its reviews request. */
function* verdictTasks(state: SessionState): Generator<Task> {
  const { latest } = state.contract;
  const { contract_author: author } = state.election;
  if (!latest || author === null) return;
  yield* verdictTask(state, latest, { builder: otherBuilder(author), author });
  if (reviewersDue(state).includes('moderator')) yield reviewTask(latest, 'moderator', undefined, true);
  yield* verdictTask(state, latest, { builder: author, author });
  if (!standingObjection(state)) return;
  const { revision_id: id } = latest;
  const message = `The moderator requests changes of ${id}; read_messages shows the summary of its review.`;
  const subject = { author, type: 'review', id: `${id}/moderator`, reviewer: 'moderator' };
  yield revisionTask(state, subject, { code: 'MODERATOR_REVIEW_REQUESTS_CHANGES', message });
}

interface Reviewing {
  readonly builder: Builder;
  readonly author: Builder;
}

function* verdictTask(state: SessionState, latest: Revision, { builder, author }: Reviewing): Generator<Task> {
  const { revision_id: id } = latest;
  const review = currentReview(state, builder);
  // If the owner has requested changes to this revision, only the next revision needs reviews.
  if (review?.verdict === 'APPROVE' || (!review && state.contract.requests.length > 0)) return;
  const record = { type: 'review', id: `${id}/${builder}` };
  if (review) {
    const message = `${builder} requests changes of ${id}; the caveats of its review say why.`;
    yield revisionTask(state, { author, ...record, reviewer: builder }, { code: 'REVIEW_REQUESTS_CHANGES', message });
    return;
  }
  const isAuthor = builder === author;
  const last = state.reviews[builder];
  yield {
    ...reviewTask(latest, builder, last, reviewersDue(state).includes(builder)),
    stops: {
      code: 'REVIEW_MISSING',
      record,
      message: `${builder}, the ${isAuthor ? 'Contract Author' : 'Technical Reviewer'}, has not given a verdict on ${id}.`,
      text: reviewText(latest, last, isAuthor),
    },
  };
}

/** The task to review a revision. It opens an action if the review is due now. */
function reviewTask(latest: Revision, due_to: Agent, last: Review | undefined, isDue: boolean): Task {
  const { revision_id: id } = latest;
  const call = due_to === 'moderator' ? moderatorReviewCall(latest) : reviewCall(latest);
  const text = `Review ${id}: read ${howToRead(latest, last)}, then give your verdict on its content_hash.`;
  const task: Task = { ...about('REVIEW_REVISION', due_to, { type: 'revision', id }), ...call, text };
  return isDue ? { ...task, action: { ...call, text } } : task;
}

/**
 * The instruction to give a missing review. Only the Technical Reviewer is told to raise findings, because the author
 * corrects the contract itself.
 */
function reviewText(latest: Revision, last: Review | undefined, isAuthor: boolean): string {
  const read = `Read ${latest.revision_id} with ${howToRead(latest, last)}`;
  return isAuthor
    ? `${read} and the findings on it with list_findings, then give your verdict on its content_hash with submit_final_review.`
    : `${read}, raise each fault with submit_finding, then give your verdict on its content_hash with submit_final_review.`;
}

/** The task of the moderator to read the responses to its findings. */
export function* assessments(state: SessionState): Generator<Task> {
  if (!hasModerator(state)) return;
  for (const finding of openFindings(state.findings)) {
    const { finding_id: id, raised_by, response } = finding;
    if (raised_by !== 'moderator' || !response || awaitedFor(finding, state.election.contract_author).length > 0)
      continue;
    const call = resolutionCall(id);
    const text = `Read the response to your finding ${id} with get_moderator_findings, then resolve the finding if the response satisfies you.`;
    yield {
      ...about('ASSESS_RESPONSE', 'moderator', { type: 'finding', id }, response.seq),
      ...call,
      text,
      action: { ...call, text },
    };
  }
}
