import { agentName } from '../../../src/text/agent.ts';
import { actingIn, nextSentences } from '../../../src/text/next-steps.ts';
import { absentReadersText } from '../../../src/transcript/absent-readers.ts';
import { type Members, membersOf, textIn, textsIn } from '../../../src/transcript/message.ts';
import type { SessionView } from '../api/types.ts';

/** What the text of a confirmation depends on: the input of the call, its answer, and the session after the call. */
interface Done {
  readonly input: Members;
  readonly answer: Members;
  /** Null if the session could not be read after the call. */
  readonly view: SessionView | null;
}

/**
 * The text that confirms a call: what the call has done, and who acts next.
 *
 * @param view the session after the call. Null if it could not be read; then the text does not say who acts next
 */
export function confirmationOf(
  operation: string,
  { input, answer }: { readonly input: unknown; readonly answer?: unknown },
  view: SessionView | null,
): string {
  const done = DONE[operation]?.({ input: membersOf(input), answer: membersOf(answer), view }) ?? 'Done.';
  return [done, view ? nextOf(view) : ''].filter(Boolean).join(' ');
}

const DONE: Readonly<Record<string, (done: Done) => string>> = {
  start: ({ input, view }) =>
    input.first_turn === undefined ? 'Started the session.' : `${namesOf([textIn(input, 'first_turn')], view)} begins.`,
  pause: () => 'Paused the session.',
  resume: () => 'Resumed the session.',
  end: () => 'Ended the session. No agent can write to it any more.',
  'approve-contract': ({ input, view }) => approved(textIn(input, 'revision_id'), view),
  authorize: ({ input, view }) => authorized(textIn(input, 'stage'), view),
  'request-changes': () => 'Requested changes to the contract.',
  'answer-question': ({ input }) => `Answered ${textIn(input, 'question_id')}.`,
  'respond-recommendation': ({ input }) =>
    `${input.decision === 'ACCEPT' ? 'Accepted' : 'Rejected'} ${textIn(input, 'recommendation_id')}.`,
  ask: (done) => `Asked ${namesOf(textsIn(done.input, 'targets'), done.view)}.${absentText(done)}`,
  direct: (done) => `Sent the directive to ${namesOf(textsIn(done.input, 'targets'), done.view)}.${absentText(done)}`,
  'withdraw-intervention': ({ input }) => `Withdrew ${textIn(input, 'intervention_id')}.`,
  'assign-action': (done) =>
    `Assigned the action to ${namesOf([textIn(done.input, 'target')], done.view)}.${absentText(done)}`,
  'extend-rounds': ({ input }) => (input.rounds === 1 ? 'Added 1 round.' : `Added ${input.rounds} rounds.`),
  'appoint-author': ({ input, view }) => `Appointed ${namesOf([textIn(input, 'candidate')], view)} as Contract Author.`,
  'override-finding': ({ input }) => `Overrode ${textIn(input, 'finding_id')}.`,
  'override-review': () => "Overrode the moderator's review.",
  'release-hold': ({ input }) => `Released hold ${textIn(input, 'hold_id')}.`,
  'refuse-step': ({ input }) => `Refused the ${textIn(input, 'stage')}.`,
  'carry-pass': ({ input }) => `Carried the pass of ${textIn(input, 'scenario_id')} over.`,
  'waive-defect': ({ input }) => `Waived ${textIn(input, 'defect_id')}.`,
  'reassign-defect': ({ input, view }) =>
    `Gave ${textIn(input, 'defect_id')} to ${namesOf([textIn(input, 'role')], view)}.`,
  'raise-quota': () => 'Raised the quota.',
  invite: ({ input, view }) => `Made an invitation code for ${namesOf([textIn(input, 'role')], view)}.`,
  revoke: ({ input, view }) => `Revoked the access of ${namesOf([textIn(input, 'role')], view)}.`,
  'grant-moderator': () => 'Changed the permissions of the moderator.',
  'stop-moderator': () => 'Stopped the moderator.',
  'restore-moderator': () => 'Restored the moderator.',
};

/** The text after an approval. If two approvals are required, the session stays in CONTRACT after the first one. */
function approved(revision: string, view: SessionView | null): string {
  if (view?.state.phase !== 'CONTRACT') return `Approved ${revision}.`;
  return `Your approval of ${revision} is recorded. Another approver has to approve this revision too.`;
}

const FLAGS = {
  build: 'build_authorized',
  deployment: 'deployment_authorized',
  activation: 'activation_authorized',
} as const;

const isStage = (stage: string): stage is keyof typeof FLAGS => stage in FLAGS;

function authorized(stage: string, view: SessionView | null): string {
  if (!view || !isStage(stage) || view.state.authorizations[FLAGS[stage]]) return `Authorized the ${stage}.`;
  return `Your authorization of the ${stage} is recorded. Another approver has to authorize the ${stage} too.`;
}

const absentText = ({ answer, view }: Done): string => absentReadersText(answer, (role) => namesOf([role], view));

/** Says who acts next in a session, and what. Empty if the session has ended. */
const nextOf = (view: SessionView): string =>
  view.state.status === 'ENDED' ? '' : nextSentences(actingIn(view), (role) => namesOf([role], view));

/** Names roles in a sentence: `Shop agent (agent_a) and Ledger agent (agent_b)`. */
const namesOf = (roles: readonly string[], view: SessionView | null): string =>
  roles
    .map((role) =>
      role === 'moderator' ? 'the moderator' : agentName(role, view?.agents.find((agent) => agent.role === role)?.name),
    )
    .join(' and ');
