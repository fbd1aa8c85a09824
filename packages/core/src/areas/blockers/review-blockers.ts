import { lookUp } from '../../kernel/history.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { responseCall } from '../findings/rules.ts';
import { currentReview, reviewCall } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import type { Blocker } from './blocker.ts';
import { revise } from './contract-blockers.ts';

/** What the reviewers see: blocking findings still open, and reviews that are missing or ask for changes. */
export function* reviewBlockers(state: SessionState): Generator<Blocker> {
  yield* findingBlockers(state);
  const { author } = state.election;
  const { latest } = state.contract;
  if (!latest || author === null) return;
  const { revisionId: id } = latest;
  for (const builder of BUILDERS) {
    const review = currentReview(state, builder);
    if (review?.verdict === 'APPROVE') continue;
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
          message: `The review of ${builder} on exactly ${id} is missing.`,
          resolution: {
            text: 'Read get_final_plan, raise what is wrong as findings, then give your verdict on exactly this hash.',
            ...reviewCall(latest),
          },
        };
  }
}

function* findingBlockers({ findings, election: { author } }: SessionState): Generator<Blocker> {
  for (const id of findings.open) {
    const finding = lookUp(findings.all, id);
    if (!finding?.isBlocking) continue;
    const record = { type: 'finding', id };
    const isAnswered = finding.status === 'RESPONDED' || author === null;
    yield isAnswered
      ? {
          code: 'FINDING_UNRESOLVED',
          record,
          responsible: finding.raisedBy,
          message: `Finding ${id} was answered; ${finding.raisedBy}, who raised it, has not resolved it.`,
          resolution: {
            text: 'Read the response with list_findings, then mark it RESOLVED or WITHDRAWN.',
            tool: 'resolve_finding',
            payload: { finding_id: id, outcome: '<RESOLVED or WITHDRAWN>' },
          },
        }
      : {
          code: 'FINDING_UNANSWERED',
          record,
          responsible: author,
          message: `Finding ${id} waits for the answer of ${author}.`,
          resolution: {
            text: 'Accept it (and name the revision that mends it) or reject it, with a response.',
            ...responseCall(id),
          },
        };
  }
}
