import type { Answer, OwnerCallName, OwnerInput } from '@parley/core/client';
import { readSections } from '../../text/records/read-sections.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { absentReadersText } from '../../transcript/absent-readers.ts';
import type { Json } from '../client/request.ts';
import type { Terminal } from '../terminal.ts';
import { listed, type NameOf, namesIn } from './agent-names.ts';
import { carriedText } from './format-board.ts';
import { nextLines } from './next-step.ts';

type View = Answer<'view'>;
type Approval = Answer<'approveContract'>;

interface Written {
  readonly operation: string;
  readonly answer: Json;
  readonly input: Json;
  /** The session after the write. Undefined if it could not be read. */
  readonly view: View | undefined;
  /** The session before the write, for an operation for which `comparesViews` is true. */
  readonly before?: View | undefined;
}

/** What a write has changed, who must act next, and the next command of the owner. */
export function writtenLines(
  { operation, answer, input, view, before }: Written,
  place: { readonly terminal: Terminal; readonly sessionId: string },
): string[] {
  const nameOf = namesIn(view);
  // The operation is known only now: its sentence gets the answer and the input of the same operation.
  const text =
    SENTENCES[operation]?.({ answer: answer as never, input: input as never, before, nameOf }) ??
    'The operation succeeded.';
  return [
    ...text.split('\n').flatMap((line) => wrapText(visibleLine(line), place.terminal.columns)),
    ...(operation === 'pause' || !view ? [] : nextLines(view, place)),
    ...undoLines(operation, place),
  ];
}

/** The operations that stop a session or its moderator, each with the command that reverses the operation. */
const UNDO: ReadonlyMap<string, string> = new Map([
  ['pause', 'resume'],
  ['stopModerator', 'restore-moderator'],
]);

function undoLines(operation: string, { terminal, sessionId }: { terminal: Terminal; sessionId: string }): string[] {
  const undo = UNDO.get(operation);
  return undo === undefined ? [] : ['To undo this:', '', `  ${terminal.program} ${undo} ${sessionId}`];
}

interface Change<N extends OwnerCallName> {
  readonly answer: Answer<N>;
  readonly input: OwnerInput<N>;
  readonly before: View | undefined;
  readonly nameOf: NameOf;
}

/** Whether the sentence of an operation says what the operation cancelled, which only the view before it contains. */
export const comparesViews = (operation: string): boolean => operation === 'requestChanges' || operation === 'start';

/** Whether `writtenLines` has its own sentence for an operation. */
export const hasSentence = (operation: string): boolean => Object.hasOwn(SENTENCES, operation);

const isComplete = ({ given, required }: Approval['approvals']): boolean => given.length >= required;

function firstApprovalText({ stage, given, required }: Approval['approvals']): string {
  const count = `${given.length} of ${required}`;
  return stage === 'approval'
    ? `Your approval is recorded: ${count} approvals of the contract. The contract is approved when another approver approves it too.`
    : `Your authorization is recorded: ${count} for the ${stage}. The ${stage} is authorized when another approver authorizes it too.`;
}

const CHANGED = {
  start({ input: { first_turn }, before, nameOf }) {
    if (!first_turn) return 'The session is started.';
    const name = nameOf(first_turn);
    if (before?.state.status !== 'ACTIVE') return `The session is started, and ${name} begins.`;
    return before.first_turn === first_turn
      ? `Nothing changes: the session was started before, and ${name} begins already.`
      : `${name} begins now. The session was started before.`;
  },
  revoke({ answer: { cancelled }, input: { role }, nameOf }) {
    const made = cancelled?.invited_by ? ` The person ${cancelled.invited_by} made this invitation.` : '';
    return `The token and the open invitation of ${nameOf(role)} are revoked.${made}`;
  },
  ask({ answer, nameOf }) {
    const { intervention_id, blocking } = answer.intervention;
    const effect = blocking ? ' The contract cannot be certified before the question is answered.' : '';
    return `Question ${intervention_id} is asked ${readersText(answer, nameOf)}.${effect}${absentReadersText(answer, nameOf)}`;
  },
  direct: ({ answer, nameOf }) =>
    `Directive ${answer.intervention.intervention_id} is given to ${readersText(answer, nameOf)}. The directive is binding until you withdraw it.${absentReadersText(answer, nameOf)}`,
  withdrawIntervention: ({ answer: { intervention } }) =>
    `${intervention.intervention_id} is withdrawn. No agent has to answer it or follow it any more.`,
  answerQuestion: ({ answer: { question }, input, nameOf }) =>
    `Answered ${question.question_id}: ${input.text}\n${nameOf(question.from)} gets the answer. You cannot change the answer any more.`,
  assignAction: ({ answer, input, nameOf }) =>
    `${answer.action.action_id} is assigned to ${nameOf(input.target)}. It stays open until the agent completes it.${absentReadersText(answer, nameOf)}`,
  appointAuthor: ({ input: { candidate }, nameOf }) =>
    `${nameOf(candidate)} is the Contract Author, and writes the contract next.`,
  overrideFinding: ({ answer: { finding } }) =>
    `${finding.finding_id} is closed with your reason, and no longer blocks anything.`,
  releaseHold: ({ answer: { hold } }) => `${hold.hold_id} is released. Its finding ${hold.finding_id} stays open.`,
  overrideReview: ({ answer: { review } }) =>
    `The moderator's review of ${review.revision_id} is overridden with your reason, and no longer blocks the approval.`,
  respondRecommendation: ({ answer: { recommendation }, input: { decision } }) =>
    `${recommendation.recommendation_id} is ${decision === 'ACCEPT' ? 'accepted' : 'rejected'}. The moderator can read your answer. Nothing else changes.`,
  markRead({ answer: { revision_id, sections } }) {
    const unread = sections.filter(({ read_at }) => read_at === null).map(({ section }) => section);
    return unread.length > 0
      ? `Recorded. Sections of ${revision_id} that you have not marked as read: ${readSections(unread).join(', ')}.`
      : `Recorded. You have marked every section of ${revision_id} as read.`;
  },
  approveContract: ({ answer: { manifest, approvals, open_caveats } }) =>
    manifest && isComplete(approvals) ? approvedText(manifest, open_caveats) : firstApprovalText(approvals),
  requestChanges: ({ before }) =>
    `The contract is returned to its author with your reason.${before ? cancelledText(before) : ''}`,
  authorize: ({ input: { stage }, answer: { approvals } }) =>
    isComplete(approvals) ? `The ${stage} is authorized.` : firstApprovalText(approvals),
  refuseStep: ({ input: { stage }, answer: { defect }, nameOf }) =>
    `The ${stage} is refused with your reason: ${defect.defect_id} is open, and ${nameOf(defect.assigned_to)} has to fix it. Scenario ${defect.scenario_id} then has to pass again.`,
  carryPass: ({ answer: { scenario_id, attempt, carried }, nameOf }) =>
    `${scenario_id}/${attempt} counts as passed: ${carriedText(carried, nameOf)}`,
  reassignDefect: ({ answer: { defect }, nameOf }) =>
    `${defect.defect_id} is assigned to ${nameOf(defect.assigned_to)}.`,
  waiveDefect: ({ answer: { defect } }) =>
    `${defect.defect_id} is waived with your reason. Scenario ${defect.scenario_id} can run again, and still has to pass.`,
  grantModerator: ({ input: { permissions } }) =>
    `From its next request on, the moderator may: ${permissions.join(', ') || 'only read'}.`,
  stopModerator: () =>
    'The moderator is stopped: it can neither read nor write. Its holds stay until you release them.',
  restoreModerator: () => 'The moderator can read and write again.',
  extendRounds: ({ answer: { round_limit } }) => `The session has ${round_limit} rounds in all now.`,
  raiseQuota: ({
    answer: {
      quota: { role, limit, quota, used },
    },
    nameOf,
  }) => `${nameOf(role)} may use ${limit} ${quota} now; ${used} are used.`,
  pause: () => 'The session is paused. Until you resume it, builders can only read, acknowledge and answer.',
  resume: () => 'The session is active again.',
  end: () => 'The session is ended for good.',
} satisfies { [N in OwnerCallName]?: (change: Change<N>) => string };

/** A change by an operation that is known only when the program runs. */
interface AnyChange extends Pick<Change<'end'>, 'before' | 'nameOf'> {
  readonly answer: never;
  readonly input: never;
}

const SENTENCES: Readonly<Record<string, ((change: AnyChange) => string) | undefined>> = CHANGED;

/** What a request for changes cancelled: ` The approval of r_2 and the authorization of the build are cancelled.` */
function cancelledText({ state: { latest_revision, phase }, approvals }: View): string {
  if (phase === 'CONTRACT') return '';
  const stages = approvals
    .filter(({ stage, given }) => stage !== 'approval' && given.length > 0)
    .map(({ stage }) => `the authorization of the ${stage}`);
  return ` Cancelled: ${listed([`the approval of ${latest_revision?.revision_id ?? ''}`, ...stages])}.`;
}

const readersText = ({ intervention }: Answer<'ask'>, nameOf: NameOf): string =>
  listed(intervention.targets.map(nameOf));

function approvedText(
  { revision_id, content_hash, manifest_id, artifacts }: NonNullable<Approval['manifest']>,
  open_caveats: Approval['open_caveats'],
): string {
  const caveats = open_caveats.map(({ finding_id, text }) => `\n  ${finding_id}: ${text ?? ''}`);
  const open = caveats.length > 0 ? `\nCaveats that stay open:${caveats.join('')}` : '';
  return `${revision_id} (content_hash ${content_hash}) is approved. Its manifest ${manifest_id} is frozen, with ${artifacts.length} artifacts that the agents now read and confirm.${open}`;
}
