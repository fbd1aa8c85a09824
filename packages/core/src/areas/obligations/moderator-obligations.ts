import { hasModerator, moderatorPermissions } from '../access/rules.ts';
import { awaitedFor, openFindings, resolutionCall } from '../findings/rules.ts';
import { adviceKey } from '../recommendations/advice.ts';
import type { SessionState } from '../state.ts';
import { certificationOf } from '../verify/certification.ts';
import type { Obligation } from './obligation.ts';

/** The obligations of the moderator. Empty if no moderator can act. */
export function* moderatorObligations(state: SessionState): Generator<Obligation> {
  if (!hasModerator(state)) return;
  for (const finding of openFindings(state.findings)) {
    const { finding_id: id, raised_by, response } = finding;
    if (raised_by !== 'moderator' || !response || awaitedFor(finding, state.election.contract_author).length > 0)
      continue;
    yield {
      key: `ASSESS_RESPONSE moderator ${id} ${response.seq}`,
      type: 'ASSESS_RESPONSE',
      due_to: 'moderator',
      text: `Read the response to your finding ${id} with get_moderator_findings, then resolve the finding if the response satisfies you.`,
      ...resolutionCall(id),
    };
  }
  yield* adviceObligation(state);
}

/**
 * The obligation to advise the owner on the deployment. It lasts from the time when all certification checks pass to
 * the authorization of the deployment. The owner can authorize the deployment without this advice.
 */
function* adviceObligation(state: SessionState): Generator<Obligation> {
  const { current } = state.manifest;
  if (!current || state.profile.phase !== 'VERIFY' || !moderatorPermissions(state).includes('recommend')) return;
  if (!certificationOf(state).every(({ ok }) => ok)) return;
  yield {
    key: adviceKey(current.manifest_id),
    type: 'ADVISE_DEPLOYMENT',
    due_to: 'moderator',
    text: `Every certification check of ${current.manifest_id} holds: read verify_board, then recommend to the owner with recommend_to_owner whether to deploy, and say what the owner should know before. The owner can authorize the deployment without your advice.`,
    tool: 'recommend_to_owner',
    payload: {
      recommendation: '<PROCEED, REQUEST_CHANGES, PAUSE or OTHER>',
      text: '<what you advise, and what the owner should know>',
    },
  };
}
