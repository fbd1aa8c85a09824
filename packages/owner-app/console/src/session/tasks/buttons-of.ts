import { factsOf, insteadOf } from '@parley/core/text';
import { type Agent, agentName, canCall, isInvited } from '../../../../src/text/agent.ts';
import { taskName } from '../../../../src/text/inbox.ts';
import { recordPath } from '../../../../src/text/record-address.ts';
import type { Me, OwnerWait } from '../../api/answers.ts';
import { toSession } from '../../state/route.ts';
import { addressOf } from '../../ui/text/shown.tsx';
import { DIALOG_OPERATIONS, type DialogOperation, OWNER_BUTTONS } from '../owner-buttons.ts';

/** A form or dialog in which the owner completes a task. */
export type TaskForm =
  | 'answer'
  | 'respond'
  | 'approve'
  | 'authorize'
  | 'reassign'
  | 'waive'
  | 'rounds'
  | 'end'
  | DialogOperation;

/** The operation, if its dialog is made from its definition. */
export const dialogOf = (operation: string): DialogOperation | undefined =>
  DIALOG_OPERATIONS.find((one) => one === operation);

/** The operations that a button calls with the payload of the task. */
export type Called = 'start' | 'resume' | 'raiseQuota';

/** A button of a task: a link, a call without input, a call that asks for confirmation, a call that makes an invitation code, or a form. */
export type TaskButton =
  | { readonly does: 'go'; readonly label: string; readonly to: string }
  | { readonly does: 'call'; readonly label: string; readonly operation: Called; readonly needs: Me['role'] }
  | { readonly does: 'confirm'; readonly label: string; readonly operation: Called; readonly question: string }
  | (Invitee & { readonly does: 'invite'; readonly label: string })
  | { readonly does: 'open'; readonly label: string; readonly form: TaskForm; readonly needs: Me['role'] };

/** An absent agent to invite. */
interface Invitee {
  readonly role: string;
  readonly name: string;
  /** Time until which the agent's unused code is valid, as ISO 8601. Undefined if the agent has no valid code. */
  readonly codeUntil: string | undefined;
  readonly hasToken: boolean;
}

const open = (label: string, form: TaskForm, needs: Me['role'] = 'operator'): TaskButton => ({
  does: 'open',
  label,
  form,
  needs,
});

const call = (label: string, operation: Called): TaskButton => ({ does: 'call', label, operation, needs: 'operator' });

/** The waiver of a disputed defect. A task that only a waiver can end names it in its text. */
const WAIVER = open('Waive it…', 'waive');

/** For each operation without a dialog of its definition: the button beside a task that calls the operation or opens its form. */
const SETTLING: Readonly<Record<string, TaskButton>> = {
  resume: call('Resume', 'resume'),
  raiseQuota: call('Raise the quota', 'raiseQuota'),
  answerQuestion: open('Answer…', 'answer'),
  respondRecommendation: open('Accept or reject…', 'respond'),
  approveContract: open('Approve…', 'approve', 'approver'),
  reassignDefect: open('Assign it anew…', 'reassign'),
  extendRounds: open('Add rounds…', 'rounds'),
  end: open('End…', 'end'),
};

/**
 * For operations without a button beside the task: the label of the link, the tab on which the owner calls them, and the
 * fragment that names the element to which the page scrolls.
 */
const ELSEWHERE = {
  appointAuthor: ['Choose the author', 'transcript', '#author-head'],
  stopModerator: ['Open People', 'people', ''],
  invite: ['Open the invitations', 'people', '#access-head'],
} as const;

type Elsewhere = keyof typeof ELSEWHERE;

const isElsewhere = (operation: string): operation is Elsewhere => operation in ELSEWHERE;

function elsewhere(sessionId: string, operation: Elsewhere): TaskButton {
  const [label, tab, fragment] = ELSEWHERE[operation];
  return { does: 'go', label, to: `${toSession(sessionId, tab)}${fragment}` };
}

/** The address of what a task is about. A contract is read where it differs from what was read last. */
const readingOf = (sessionId: string, wait: OwnerWait): string =>
  wait.kind === 'APPROVAL' ? `${recordPath(sessionId, wait.record.id)}#changes` : addressOf(sessionId, wait);

interface KnownOfSession {
  /** The agents of the session, or an empty list if they are not known. */
  readonly agents: readonly Agent[];
  /** Whether the owner has read all of the revision to approve. */
  readonly isRead: boolean;
  readonly nowMs: number;
}

/**
 * Returns the buttons of a task, in their order. The first button is the next step. The inbox and the page of the
 * session show the same buttons.
 *
 * @param known what the page knows of the session
 */
export function buttonsOf(
  sessionId: string,
  wait: OwnerWait,
  { agents, isRead, nowMs }: KnownOfSession,
): readonly TaskButton[] {
  const { kind } = wait;
  if (kind === 'START') return startButtons(sessionId, agents, nowMs);
  const settle = kind === 'AGENT_ABSENT' ? [inviteButton(wait, agents, nowMs)] : settlingButton(sessionId, wait);
  const label = factsOf(kind)?.reading;
  const read: TaskButton[] = label ? [{ does: 'go', label, to: readingOf(sessionId, wait) }] : [];
  const others = insteadOf(wait, 'console');
  const buttonsFor = (isAbout: boolean): TaskButton[] =>
    others
      .filter(({ payload }) => isAboutRecord(payload) === isAbout)
      .flatMap(({ operation }) =>
        operation === 'waiveDefect' ? [WAIVER] : settlingButton(sessionId, { kind, operation }),
      );
  // Until the owner has read the contract, the link to it is first.
  if (kind === 'APPROVAL' && !isRead) return [...read, ...settle, ...buttonsFor(false)];
  return [...settle, ...buttonsFor(true), ...read, ...buttonsFor(false)];
}

/** Whether a call that the owner can make instead is about the record of the task. */
const isAboutRecord = (payload: OwnerWait['payload']): boolean => Object.keys(payload).length > 0;

/** The buttons of a draft. Until both agents have joined, the next step is to invite them. */
function startButtons(sessionId: string, agents: readonly Agent[], nowMs: number): readonly TaskButton[] {
  const invitations = elsewhere(sessionId, 'invite');
  const joined = agents.filter((agent) => canCall(agent, nowMs));
  if (joined.length === agents.length) return [call('Start', 'start'), invitations];
  const [only] = joined;
  const question = only
    ? `Only ${agentName(only.role, only.display_name)} has joined. Start the session without the other agent?`
    : 'No agent has joined. Start the session without agents?';
  return [invitations, { does: 'confirm', label: 'Start', operation: 'start', question }];
}

function inviteButton({ record }: OwnerWait, agents: readonly Agent[], nowMs: number): TaskButton {
  const agent = agents.find(({ role }) => role === record.id);
  return {
    does: 'invite',
    label: 'Invite',
    role: record.id,
    name: agentName(record.id, agent?.display_name),
    codeUntil: agent && isInvited(agent, nowMs) ? (agent.code_expires_at ?? undefined) : undefined,
    hasToken: agent?.joined === true && canCall(agent, nowMs),
  };
}

function settlingButton(sessionId: string, { kind, operation }: Pick<OwnerWait, 'kind' | 'operation'>): TaskButton[] {
  if (operation === 'authorize') return [open(`${taskName(kind)}…`, 'authorize', 'approver')];
  const dialog = dialogOf(operation);
  const { button: label, needs } = dialog ? OWNER_BUTTONS[dialog] : {};
  if (dialog && label) return [open(label, dialog, needs)];
  const button = SETTLING[operation];
  if (button) return [button];
  return isElsewhere(operation) ? [elsewhere(sessionId, operation)] : [];
}
