import { readSections } from '../../text/records/read-sections.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { absentReadersText } from '../../transcript/absent-readers.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import type { Terminal } from '../terminal.ts';
import { listed, type NameOf, namesIn } from './agent-names.ts';
import { carriedText } from './format-evidence.ts';
import { nextLines } from './next-step.ts';

interface Written {
  readonly operation: string;
  readonly answer: Members;
  readonly input: Members;
  /** The session after the write. Empty if the session could not be read. */
  readonly view: Members;
  /** The session before the write, for an operation for which `comparesViews` is true. Otherwise empty. */
  readonly before?: Members;
}

/** What a write has changed, who must act next, and the next command of the owner. */
export function writtenLines(
  { operation, answer, input, view, before = {} }: Written,
  place: { readonly terminal: Terminal; readonly sessionId: string },
): string[] {
  const say = CHANGED.get(operation);
  const text = say?.({ answer, input, before, nameOf: namesIn(view) }) ?? 'The operation succeeded.';
  return [
    ...text.split('\n').flatMap((line) => wrapText(visibleLine(line), place.terminal.columns)),
    ...(operation === 'pause' ? [] : nextLines(view, place)),
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

interface Change {
  readonly answer: Members;
  readonly input: Members;
  readonly before: Members;
  readonly nameOf: NameOf;
}

type Say = (change: Change) => string;

/** Whether the sentence of an operation says what the operation cancelled, which only the view before it contains. */
export const comparesViews = (operation: string): boolean => operation === 'requestChanges' || operation === 'start';

/** Whether `writtenLines` has its own sentence for an operation. */
export const hasSentence = (operation: string): boolean => CHANGED.has(operation);

function isComplete(answer: Members): boolean {
  const approvals = membersOf(answer.approvals);
  return recordsIn(approvals, 'given').length >= numberIn(approvals, 'required');
}

function firstApprovalText(answer: Members): string {
  const approvals = membersOf(answer.approvals);
  const given = `${recordsIn(approvals, 'given').length} of ${numberIn(approvals, 'required')}`;
  const stage = textIn(approvals, 'stage');
  return stage === 'approval'
    ? `Your approval is recorded: ${given} approvals of the contract. The contract is approved when another approver approves it too.`
    : `Your authorization is recorded: ${given} for the ${stage}. The ${stage} is authorized when another approver authorizes it too.`;
}

const CHANGED: ReadonlyMap<string, Say> = new Map<string, Say>([
  [
    'start',
    ({ input, before, nameOf }) => {
      const first = textIn(input, 'first_turn');
      if (first === '') return 'The session is started.';
      if (textIn(membersOf(before.state), 'status') !== 'ACTIVE')
        return `The session is started, and ${nameOf(first)} begins.`;
      return textIn(before, 'first_turn') === first
        ? `Nothing changes: the session was started before, and ${nameOf(first)} begins already.`
        : `${nameOf(first)} begins now. The session was started before.`;
    },
  ],
  [
    'revoke',
    ({ answer, input, nameOf }) => {
      const maker = textIn(membersOf(answer.cancelled), 'invited_by');
      const made = maker ? ` The person ${maker} made this invitation.` : '';
      return `The token and the open invitation of ${nameOf(textIn(input, 'role'))} are revoked.${made}`;
    },
  ],
  ['ask', ({ answer, nameOf }) => openedText(answer, 'Question', 'asked', nameOf)],
  ['direct', ({ answer, nameOf }) => openedText(answer, 'Directive', 'given to', nameOf)],
  [
    'withdrawIntervention',
    ({ answer }) =>
      `${textIn(membersOf(answer.intervention), 'intervention_id')} is withdrawn. No agent has to answer it or follow it any more.`,
  ],
  [
    'answerQuestion',
    ({ answer, input, nameOf }) => {
      const question = membersOf(answer.question);
      return `Answered ${textIn(question, 'question_id')}: ${textIn(input, 'text')}\n${nameOf(textIn(question, 'from'))} gets the answer. You cannot change the answer any more.`;
    },
  ],
  [
    'assignAction',
    ({ answer, input, nameOf }) =>
      `${textIn(membersOf(answer.action), 'action_id')} is assigned to ${nameOf(textIn(input, 'target'))}. It stays open until the agent completes it.${absentReadersText(answer, nameOf)}`,
  ],
  [
    'appointAuthor',
    ({ input, nameOf }) =>
      `${nameOf(textIn(input, 'candidate'))} is the Contract Author, and writes the contract next.`,
  ],
  [
    'overrideFinding',
    ({ answer }) =>
      `${textIn(membersOf(answer.finding), 'finding_id')} is closed with your reason, and no longer blocks anything.`,
  ],
  [
    'releaseHold',
    ({ answer }) => {
      const hold = membersOf(answer.hold);
      return `${textIn(hold, 'hold_id')} is released. Its finding ${textIn(hold, 'finding_id')} stays open.`;
    },
  ],
  [
    'overrideReview',
    ({ answer }) =>
      `The moderator's review of ${textIn(membersOf(answer.review), 'revision_id')} is overridden with your reason, and no longer blocks the approval.`,
  ],
  [
    'respondRecommendation',
    ({ answer, input }) => {
      const id = textIn(membersOf(answer.recommendation), 'recommendation_id');
      const word = textIn(input, 'decision') === 'ACCEPT' ? 'accepted' : 'rejected';
      return `${id} is ${word}. The moderator can read your answer. Nothing else changes.`;
    },
  ],
  [
    'markRead',
    ({ answer }) => {
      const unread = recordsIn(answer, 'sections').filter(({ read_at }) => read_at === null);
      const names = readSections(unread.map((section) => textIn(section, 'section'))).join(', ');
      const revision = textIn(answer, 'revision_id');
      return names
        ? `Recorded. Sections of ${revision} that you have not marked as read: ${names}.`
        : `Recorded. You have marked every section of ${revision} as read.`;
    },
  ],
  ['approveContract', ({ answer }) => (isComplete(answer) ? approvedText(answer) : firstApprovalText(answer))],
  [
    'requestChanges',
    ({ before }) => `The contract is returned to its author with your reason.${cancelledText(before)}`,
  ],
  [
    'authorize',
    ({ input, answer }) =>
      isComplete(answer) ? `The ${textIn(input, 'stage')} is authorized.` : firstApprovalText(answer),
  ],
  [
    'refuseStep',
    ({ input, answer, nameOf }) => {
      const defect = membersOf(answer.defect);
      return `The ${textIn(input, 'stage')} is refused with your reason: ${textIn(defect, 'defect_id')} is open, and ${nameOf(textIn(defect, 'assigned_to'))} has to fix it. Scenario ${textIn(defect, 'scenario_id')} then has to pass again.`;
    },
  ],
  [
    'carryPass',
    ({ answer, nameOf }) =>
      `${textIn(answer, 'scenario_id')}/${numberIn(answer, 'attempt')} counts as passed: ${carriedText(membersOf(answer.carried), nameOf)}`,
  ],
  [
    'reassignDefect',
    ({ answer, nameOf }) => {
      const defect = membersOf(answer.defect);
      return `${textIn(defect, 'defect_id')} is assigned to ${nameOf(textIn(defect, 'assigned_to'))}.`;
    },
  ],
  [
    'waiveDefect',
    ({ answer }) => {
      const defect = membersOf(answer.defect);
      return `${textIn(defect, 'defect_id')} is waived with your reason. Scenario ${textIn(defect, 'scenario_id')} can run again, and still has to pass.`;
    },
  ],
  [
    'grantModerator',
    ({ input }) =>
      `From its next request on, the moderator may: ${textsIn(input, 'permissions').join(', ') || 'only read'}.`,
  ],
  [
    'stopModerator',
    () => 'The moderator is stopped: it can neither read nor write. Its holds stay until you release them.',
  ],
  ['restoreModerator', () => 'The moderator can read and write again.'],
  ['extendRounds', ({ answer }) => `The session has ${numberIn(answer, 'round_limit')} rounds in all now.`],
  [
    'raiseQuota',
    ({ answer, nameOf }) => {
      const quota = membersOf(answer.quota);
      return `${nameOf(textIn(quota, 'role'))} may use ${numberIn(quota, 'limit')} ${textIn(quota, 'quota')} now; ${numberIn(quota, 'used')} are used.`;
    },
  ],
  ['pause', () => 'The session is paused. Until you resume it, builders can only read, acknowledge and answer.'],
  ['resume', () => 'The session is active again.'],
  ['end', () => 'The session is ended for good.'],
]);

/** What a request for changes cancelled: ` The approval of r_2 and the authorization of the build are cancelled.` */
function cancelledText(before: Members): string {
  const { latest_revision, phase } = membersOf(before.state);
  if (phase === undefined || phase === 'CONTRACT') return '';
  const stages = recordsIn(before, 'approvals')
    .filter((one) => recordsIn(one, 'given').length > 0)
    .map((one) => textIn(one, 'stage'))
    .filter((stage) => stage !== 'approval');
  const approval = `the approval of ${textIn(membersOf(latest_revision), 'revision_id')}`;
  const cancelled = [approval, ...stages.map((stage) => `the authorization of the ${stage}`)];
  return ` Cancelled: ${listed(cancelled)}.`;
}

function openedText(answer: Members, what: string, done: string, nameOf: NameOf): string {
  const opened = membersOf(answer.intervention);
  const targets = listed(textsIn(opened, 'targets').map(nameOf));
  const effect = what === 'Directive' ? ' The directive is binding until you withdraw it.' : blockText(opened);
  return `${what} ${textIn(opened, 'intervention_id')} is ${done} ${targets}.${effect}${absentReadersText(answer, nameOf)}`;
}

const blockText = ({ blocking }: Members): string =>
  blocking === true ? ' The contract cannot be certified before the question is answered.' : '';

function approvedText(answer: Members): string {
  const manifest = membersOf(answer.manifest);
  const count = recordsIn(manifest, 'artifacts').length;
  const caveats = recordsIn(answer, 'open_caveats').map(
    (caveat) => `\n  ${textIn(caveat, 'finding_id')}: ${textIn(caveat, 'text')}`,
  );
  const open = caveats.length > 0 ? `\nCaveats that stay open:${caveats.join('')}` : '';
  return `${textIn(manifest, 'revision_id')} (content_hash ${textIn(manifest, 'content_hash')}) is approved. Its manifest ${textIn(manifest, 'manifest_id')} is frozen, with ${count} artifacts that the agents now read and confirm.${open}`;
}
