import type { OwnerOutput, SessionCallName, SessionInput } from '@parley/core/client';
import { agentName } from '../../../src/text/agent.ts';
import { actingIn, nextSentences } from '../../../src/text/next-steps.ts';
import { absentReadersText } from '../../../src/transcript/absent-readers.ts';
import type { SessionView } from '../api/types.ts';

/** What the text of a confirmation depends on: the input of the call, its answer, and the session after the call. */
export interface Done<N extends SessionCallName> {
  readonly input: SessionInput<N>;
  readonly answer: OwnerOutput<N>;
  /** Null if the session could not be read after the call. Then the text does not say who acts next. */
  readonly view: SessionView | null;
}

/** The text that confirms a call: what the call has done, and who acts next. */
export function confirmationOf<N extends SessionCallName>(name: N, done: Done<N>): string {
  const text = DONE[name]?.(done) ?? 'Done.';
  return [text, done.view ? nextOf(done.view) : ''].filter(Boolean).join(' ');
}

const DONE: { readonly [N in SessionCallName]?: (done: Done<N>) => string } = {
  start: ({ input, view }) =>
    input.first_turn === undefined ? 'Started the session.' : `${namesOf([input.first_turn], view)} begins.`,
  pause: () => 'Paused the session.',
  resume: () => 'Resumed the session.',
  end: () => 'Ended the session. No agent can write to it any more.',
  approveContract: ({ input, view }) => approved(input.revision_id, view),
  authorize: ({ input, view }) => authorized(input.stage, view),
  requestChanges: () => 'Requested changes to the contract.',
  answerQuestion: ({ input }) => `Answered ${input.question_id}.`,
  respondRecommendation: ({ input }) =>
    `${input.decision === 'ACCEPT' ? 'Accepted' : 'Rejected'} ${input.recommendation_id}.`,
  ask: (done) => `Asked ${namesOf(done.input.targets, done.view)}.${absentText(done)}`,
  direct: (done) => `Sent the directive to ${namesOf(done.input.targets, done.view)}.${absentText(done)}`,
  withdrawIntervention: ({ input }) => `Withdrew ${input.intervention_id}.`,
  assignAction: (done) => `Assigned the action to ${namesOf([done.input.target], done.view)}.${absentText(done)}`,
  extendRounds: ({ input }) => (input.rounds === 1 ? 'Added 1 round.' : `Added ${input.rounds} rounds.`),
  appointAuthor: ({ input, view }) => `Appointed ${namesOf([input.candidate], view)} as Contract Author.`,
  overrideFinding: ({ input }) => `Overrode ${input.finding_id}.`,
  overrideReview: () => "Overrode the moderator's review.",
  releaseHold: ({ input }) => `Released hold ${input.hold_id}.`,
  refuseStep: ({ input }) => `Refused the ${input.stage}.`,
  carryPass: ({ input }) => `Carried the pass of ${input.scenario_id} over.`,
  waiveDefect: ({ input }) => `Waived ${input.defect_id}.`,
  reassignDefect: ({ input, view }) => `Gave ${input.defect_id} to ${namesOf([input.role], view)}.`,
  raiseQuota: () => 'Raised the quota.',
  invite: ({ input, view }) => `Made an invitation code for ${namesOf([input.role], view)}.`,
  revoke: ({ input, view }) => `Revoked the access of ${namesOf([input.role], view)}.`,
  grantModerator: () => 'Changed the permissions of the moderator.',
  stopModerator: () => 'Stopped the moderator.',
  restoreModerator: () => 'Restored the moderator.',
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

const absentText = ({ answer, view }: Pick<Done<'ask' | 'direct' | 'assignAction'>, 'answer' | 'view'>): string =>
  absentReadersText(answer, (role) => namesOf([role], view));

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
