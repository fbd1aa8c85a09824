import type { After, Answer } from '@parley/core/client';
import { isInvited, namedText } from '../../text/agent.ts';
import type { Page } from '../../text/page.ts';
import { wrapText } from '../../text/table.ts';
import { serverNow } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import {
  isScriptAt,
  optionLine,
  type Seen,
  type Settling,
  settlingLine,
  settlingLines,
} from '../flags/command-line.ts';
import type { Terminal } from '../terminal.ts';
import { namesIn, seenIn } from './names.ts';

type View = Answer<'view'>;
/** A task of the owner. */
export type Wait = View['waits'][number];

interface CommandContext {
  readonly terminal: Terminal;
  readonly sessionId: string;
  /** The latest event in what is printed. */
  readonly seen: Seen;
}

/**
 * The command lines that complete a task of the owner. If the owner can choose, there is one command line for each
 * choice.
 */
export const commandsOf = (
  { kind, operation, payload, options }: Wait,
  { terminal, sessionId, seen }: CommandContext,
): string[] =>
  settlingLines(terminal.program, {
    kind,
    operation,
    sessionId,
    payload,
    options,
    seen,
    isScript: isScriptAt(terminal),
  });

/** What happens next in a session: who must act, and the most urgent task of the owner with its commands. */
function nextLines(view: View, place: Omit<CommandContext, 'seen'>): string[] {
  const context = { ...place, seen: seenIn(view) };
  const { terminal, sessionId } = context;
  if (view.state.status === 'ENDED')
    return [
      'The session can still be read. To keep its log:',
      '',
      `  ${terminal.program} export-log ${sessionId} --out session.jsonl`,
    ];
  const nameOf = namesIn(view);
  const { duties, waits } = view;
  const wait = waits.find(({ blocking }) => blocking) ?? waits[0];
  return [
    ...duties.flatMap(({ role, text }) =>
      wrapText(visibleLine(`Next: ${nameOf(role)}: ${namedText(text, nameOf)}`), terminal.columns),
    ),
    ...groupsOf(togetherWith(wait, waits), view).flatMap((group) => waitLines(group, view, context)),
  ];
}

/** The task itself; for an absent agent, the tasks about all absent agents. */
function togetherWith(wait: Wait | undefined, waits: readonly Wait[]): Wait[] {
  if (wait?.kind === 'AGENT_ABSENT') return waits.filter(({ kind }) => kind === 'AGENT_ABSENT');
  return wait ? [wait] : [];
}

/** What to say before a command that replaces a code, because a code is shown only once. */
export const LOST_CODE = 'If a code is lost, make a new one, which ends the lost code:';

interface WaitGroup {
  readonly waits: readonly Wait[];
  /** Whether the tasks are about agents that have a code and have not joined. */
  readonly areInvited: boolean;
}

/** Each task alone, except the tasks about agents that have a code: what is said about lost codes is said once. */
function groupsOf(waits: readonly Wait[], { agents }: View): WaitGroup[] {
  const isAboutInvited = ({ kind, record }: Wait): boolean =>
    kind === 'AGENT_ABSENT' && agents.some((agent) => agent.role === record.id && isInvited(agent, serverNow()));
  const invited = waits.filter(isAboutInvited);
  const others = waits.filter((wait) => !invited.includes(wait));
  return [
    ...others.map((wait) => ({ waits: [wait], areInvited: false })),
    ...(invited.length > 0 ? [{ waits: invited, areInvited: true }] : []),
  ];
}

function waitLines({ waits, areInvited }: WaitGroup, view: View, context: CommandContext): string[] {
  const { columns } = context.terminal;
  const nameOf = namesIn(view);
  const texts = waits.map(({ text }) => `For you: ${visibleLine(namedText(text, nameOf))}`);
  return [
    ...[...texts, ...(areInvited ? [LOST_CODE] : [])].flatMap((text) => wrapText(text, columns)),
    '',
    ...waits.flatMap((wait) => commandsOf(wait, context)).map((line) => `  ${line}`),
  ];
}

/** Where the owner reads: the command line that runs this program, and the session. */
export interface ReadingPlace {
  readonly program: string;
  readonly sessionId: string;
}

/** The command that records that the owner has read a revision, after an empty line. */
export const markReadLines = (revision_id: string, { program, sessionId }: ReadingPlace, { paint }: Page): string[] => [
  '',
  paint(
    'dim',
    `To mark ${revision_id} as read: ${settlingLine(program, { operation: 'markRead', sessionId, payload: { revision_id, sections: ['all'] } })}`,
  ),
];

/** The call that takes the step of a brief, on what the brief shows. */
export function stepOf(brief: Answer<'brief'>, sessionId: string): Settling {
  const { stage, revision_id, content_hash } = brief;
  const step = { sessionId, seen: seenIn(brief) };
  return stage === 'approval'
    ? { ...step, operation: 'approveContract', payload: { revision_id, content_hash } }
    : { ...step, operation: 'authorize', payload: { stage } };
}

/** The command that takes the step of a brief. Empty if a condition for the step is missing. */
export function stepLines(brief: Answer<'brief'>, { terminal, sessionId }: Omit<CommandContext, 'seen'>): string[] {
  const { missing, options = [] } = brief;
  const { program } = terminal;
  if (missing.length > 0) return [];
  const settling = { ...stepOf(brief, sessionId), isScript: isScriptAt(terminal) };
  return [
    '',
    'To take this step:',
    `  ${settlingLine(program, settling)}`,
    ...options.map((option) => `  ${optionLine(program, settling, option)}`),
  ];
}

interface Written {
  readonly operation: string;
  /** Undefined if the service does not send it. */
  readonly after: After | undefined;
}

/** What a write has changed, who must act next, and the next command of the owner. */
export function writtenLines(
  { operation, after }: Written,
  place: { readonly terminal: Terminal; readonly sessionId: string },
): string[] {
  const said = after?.said ?? 'The operation succeeded.';
  return [
    ...wrapText(visibleLine(said), place.terminal.columns),
    ...(operation === 'pause' || !after ? [] : nextLines(after.view, place)),
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
