import { otherBuilder } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import type { Revision } from '../contract/record.ts';
import type { Finding } from '../findings/record.ts';
import { awaitedFor, closerOf, openBlockingFindings, resolutionCall, responseCall } from '../findings/rules.ts';
import { activeHolds } from '../holds/rules.ts';
import { standingObjection } from '../reviews/moderator-rules.ts';
import type { Review } from '../reviews/record.ts';
import { currentReview, howToRead, reviewCall } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import type { Blocker } from './blocker.ts';
import { revise } from './contract-blockers.ts';

export function* reviewBlockers(state: SessionState): Generator<Blocker> {
  yield* findingBlockers(state);
  yield* holdBlockers(state);
  yield* verdictBlockers(state);
}

function* verdictBlockers(state: SessionState): Generator<Blocker> {
  const { contract_author: author } = state.election;
  const { latest } = state.contract;
  if (!latest || author === null) return;
  const { revision_id: id } = latest;
  for (const builder of [otherBuilder(author), author]) {
    const review = currentReview(state, builder);
    if (review?.verdict === 'APPROVE') continue;
    // If the owner has requested changes to this revision, only the next revision needs reviews.
    if (!review && state.contract.requests.length > 0) continue;
    yield review
      ? {
          code: 'REVIEW_REQUESTS_CHANGES',
          record: { type: 'review', id: `${id}/${builder}` },
          responsible: author,
          message: `${builder} requests changes of ${id}; the caveats of its review say why.`,
          resolution: revise(state, id),
        }
      : {
          code: 'REVIEW_MISSING',
          record: { type: 'review', id: `${id}/${builder}` },
          responsible: builder,
          message: `${builder}, the ${builder === author ? 'Contract Author' : 'Technical Reviewer'}, has not given a verdict on ${id}.`,
          resolution: {
            text: reviewText(latest, state.reviews[builder], builder === author),
            ...reviewCall(latest),
          },
        };
  }
  if (standingObjection(state))
    yield {
      code: 'MODERATOR_REVIEW_REQUESTS_CHANGES',
      record: { type: 'review', id: `${id}/moderator` },
      responsible: author,
      message: `The moderator requests changes of ${id}; read_messages shows the summary of its review.`,
      resolution: revise(state, id),
    };
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

function* findingBlockers(state: SessionState): Generator<Blocker> {
  const { contract_author: author } = state.election;
  for (const finding of openBlockingFindings(state.findings)) {
    const awaited = awaitedFor(finding, author);
    if (awaited.length === 0) yield unresolved(state, finding);
    for (const responsible of awaited)
      yield {
        code: 'FINDING_UNANSWERED',
        record: { type: 'finding', id: finding.finding_id },
        responsible,
        message: `Finding ${finding.finding_id} is not answered by ${responsible} yet.`,
        resolution: {
          text: 'Answer with respond_finding: accept the finding and name the revision that corrects it, or reject the finding with your reason.',
          ...responseCall(finding.finding_id),
        },
      };
  }
}

/**
 * The blocker of a finding that must be closed. The agent that raised the finding closes it. If the moderator raised it
 * and cannot act, the owner closes it.
 */
function unresolved(state: SessionState, finding: Finding): Blocker {
  const { finding_id: id, raised_by, status } = finding;
  const said = status === 'RESPONDED' ? 'was answered' : 'waits for an answer';
  const blocker = {
    code: 'FINDING_UNRESOLVED' as const,
    record: { type: 'finding', id },
    message: `Finding ${id} ${said}; ${raised_by} raised it and has not closed it.`,
  };
  if (closerOf(state, finding) === 'owner') {
    const payload = { finding_id: id, reason: '<your reason>' };
    const text = `No moderator can act. Invite a moderator, restore the stopped moderator, or override finding ${id}.`;
    return { ...blocker, responsible: 'owner', resolution: { text, tool: 'overrideFinding', payload } };
  }
  const list = raised_by === 'moderator' ? 'get_moderator_findings' : 'list_findings';
  const text = `Read the response with ${list}, then close the finding with resolve_finding as RESOLVED or WITHDRAWN.`;
  return { ...blocker, responsible: raised_by, resolution: { text, ...resolutionCall(id) } };
}

function* holdBlockers(state: SessionState): Generator<Blocker> {
  for (const { hold_id: id, finding_id } of activeHolds(state.holds)) {
    const blocker = {
      code: 'HOLD_ACTIVE' as const,
      record: { type: 'hold', id },
      message: `Hold ${id} on finding ${finding_id} stops the approval and every authorization.`,
    };
    yield hasModerator(state)
      ? {
          ...blocker,
          responsible: 'moderator',
          resolution: {
            text: `Release hold ${id} with release_hold when finding ${finding_id} no longer requires it. Resolving ${finding_id} releases the hold too.`,
            tool: 'release_hold',
            payload: { hold_id: id },
          },
        }
      : {
          ...blocker,
          responsible: 'owner',
          resolution: {
            text: `No moderator can act. Invite a moderator, restore the stopped moderator, or release hold ${id} yourself.`,
            tool: 'releaseHold',
            payload: { hold_id: id, reason: '<your reason>' },
          },
        };
  }
}
