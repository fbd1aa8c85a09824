import { otherBuilder } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import { awaitedFor, closerOf, openBlockingFindings, resolutionCall, responseCall } from '../findings/rules.ts';
import type { Finding } from '../findings/state.ts';
import { activeHolds } from '../holds/rules.ts';
import { standingObjection } from '../reviews/moderator-rules.ts';
import { currentReview, reviewCall } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import type { Blocker } from './blocker.ts';
import { revise } from './contract-blockers.ts';

/**
 * Blockers of reviewers and the moderator: open blocking findings, holds, and reviews that are missing or request
 * changes.
 */
export function* reviewBlockers(state: SessionState): Generator<Blocker> {
  yield* findingBlockers(state);
  yield* holdBlockers(state);
  yield* verdictBlockers(state);
}

function* verdictBlockers(state: SessionState): Generator<Blocker> {
  const { author } = state.election;
  const { latest } = state.contract;
  if (!latest || author === null) return;
  const { revisionId: id } = latest;
  for (const builder of [otherBuilder(author), author]) {
    const review = currentReview(state, builder);
    if (review?.verdict === 'APPROVE') continue;
    // A revision that the owner sent back needs no review: the next revision does.
    if (!review && state.contract.sentBack !== null) continue;
    yield review
      ? {
          code: 'REVIEW_REQUESTS_CHANGES',
          record: { type: 'review', id: `${id}/${builder}` },
          responsible: author,
          message: `${builder} asks for changes of ${id}; get_final_plan shows its caveats.`,
          resolution: revise(id),
        }
      : {
          code: 'REVIEW_MISSING',
          record: { type: 'review', id: `${id}/${builder}` },
          responsible: builder,
          message: `The review of ${builder} for ${id} is missing.`,
          resolution: {
            text: 'Read get_final_plan, raise faults as findings, then give your verdict on this hash.',
            ...reviewCall(latest),
          },
        };
  }
  if (standingObjection(state))
    yield {
      code: 'MODERATOR_REVIEW_REQUESTS_CHANGES',
      record: { type: 'review', id: `${id}/moderator` },
      responsible: author,
      message: `The moderator asks for changes of ${id}; read_messages gives its summary.`,
      resolution: revise(id),
    };
}

function* findingBlockers(state: SessionState): Generator<Blocker> {
  const { author } = state.election;
  for (const finding of openBlockingFindings(state.findings)) {
    const awaited = awaitedFor(finding, author);
    if (awaited.length === 0) yield unresolved(state, finding);
    for (const responsible of awaited)
      yield {
        code: 'FINDING_UNANSWERED',
        record: { type: 'finding', id: finding.findingId },
        responsible,
        message: `Finding ${finding.findingId} waits for the answer of ${responsible}.`,
        resolution: {
          text: 'Accept the finding and name the revision that corrects it, or reject the finding; give your response.',
          ...responseCall(finding.findingId),
        },
      };
  }
}

/** The agent that raised a finding closes it. If the moderator raised it and cannot act, the owner closes it. */
function unresolved(state: SessionState, finding: Finding): Blocker {
  const { findingId: id, raisedBy, status } = finding;
  const said = status === 'RESPONDED' ? 'was answered' : 'waits';
  const blocker = {
    code: 'FINDING_UNRESOLVED' as const,
    record: { type: 'finding', id },
    message: `Finding ${id} ${said}; ${raisedBy}, who raised it, has not resolved it.`,
  };
  if (closerOf(state, finding) === 'owner') {
    const payload = { finding_id: id, reason: '<your reason>' };
    const text = `No moderator can act: invite or restore one, or override finding ${id}.`;
    return { ...blocker, responsible: 'owner', resolution: { text, tool: 'overrideFinding', payload } };
  }
  const list = raisedBy === 'moderator' ? 'get_moderator_findings' : 'list_findings';
  const text = `Read the response with ${list}, then mark it RESOLVED or WITHDRAWN.`;
  return { ...blocker, responsible: raisedBy, resolution: { text, ...resolutionCall(id) } };
}

function* holdBlockers(state: SessionState): Generator<Blocker> {
  for (const { holdId: id, findingId } of activeHolds(state.holds)) {
    const blocker = {
      code: 'HOLD_ACTIVE' as const,
      record: { type: 'hold', id },
      message: `Hold ${id} on finding ${findingId} stops the approval and every authorization.`,
    };
    yield hasModerator(state)
      ? {
          ...blocker,
          responsible: 'moderator',
          resolution: {
            text: `Release ${id} once ${findingId} no longer calls for it; resolving ${findingId} releases it too.`,
            tool: 'release_hold',
            payload: { hold_id: id },
          },
        }
      : {
          ...blocker,
          responsible: 'owner',
          resolution: {
            text: `No moderator can act: invite or restore one, or release ${id} yourself.`,
            tool: 'releaseHold',
            payload: { hold_id: id, reason: '<your reason>' },
          },
        };
  }
}
