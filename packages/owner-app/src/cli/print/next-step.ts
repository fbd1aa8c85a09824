import { isInvited, namedText } from '../../text/agent.ts';
import { serverNow } from '../../text/ago.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import { type Seen, settlingLine, settlingLines } from '../flags/command-line.ts';
import type { Terminal } from '../terminal.ts';
import { agentIn, dutiesIn, namesIn, seenIn } from './agent-names.ts';

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
export const commandsOf = (wait: Members, { terminal, sessionId, seen }: CommandContext): string[] =>
  settlingLines(terminal.program, {
    operation: textIn(wait, 'operation'),
    sessionId,
    payload: membersOf(wait.payload),
    seen,
  });

/** What happens next in a session: who must act, and the most urgent task of the owner with its commands. */
export function nextLines(view: Members, place: Omit<CommandContext, 'seen'>): string[] {
  const context = { ...place, seen: seenIn(view) };
  const { terminal, sessionId } = context;
  if (textIn(membersOf(view.state), 'status') === 'ENDED')
    return [
      'The session can still be read. To keep its log:',
      '',
      `  ${terminal.program} export-log ${sessionId} --out session.jsonl`,
    ];
  const nameOf = namesIn(view);
  const duties = dutiesIn(view, nameOf).map(({ name, text }) => `Next: ${name}: ${text}`);
  const waits = recordsIn(view, 'waits');
  const wait = waits.find(({ blocking }) => blocking === true) ?? waits[0];
  return [
    ...duties.flatMap((duty) => wrapText(visibleLine(duty), terminal.columns)),
    ...groupsOf(togetherWith(wait, waits), view).flatMap((group) => waitLines(group, view, context)),
  ];
}

/** The task itself; for an absent agent, the tasks about all absent agents. */
function togetherWith(wait: Members | undefined, waits: readonly Members[]): Members[] {
  if (wait?.kind === 'AGENT_ABSENT') return waits.filter(({ kind }) => kind === 'AGENT_ABSENT');
  return wait ? [wait] : [];
}

/** What to say before a command that replaces a code, because a code is shown only once. */
export const LOST_CODE = 'If a code is lost, make a new one, which ends the lost code:';

interface WaitGroup {
  readonly waits: readonly Members[];
  /** Whether the tasks are about agents that have a code and have not joined. */
  readonly areInvited: boolean;
}

/** Each task alone, except the tasks about agents that have a code: what is said about lost codes is said once. */
function groupsOf(waits: readonly Members[], view: Members): WaitGroup[] {
  const agents = recordsIn(view, 'agents').map(agentIn);
  const isAboutInvited = (wait: Members): boolean =>
    agents.some(
      (agent) =>
        wait.kind === 'AGENT_ABSENT' &&
        agent.role === textIn(membersOf(wait.record), 'id') &&
        isInvited(agent, serverNow()),
    );
  const invited = waits.filter(isAboutInvited);
  const others = waits.filter((wait) => !invited.includes(wait));
  return [
    ...others.map((wait) => ({ waits: [wait], areInvited: false })),
    ...(invited.length > 0 ? [{ waits: invited, areInvited: true }] : []),
  ];
}

function waitLines({ waits, areInvited }: WaitGroup, view: Members, context: CommandContext): string[] {
  const { columns } = context.terminal;
  const nameOf = namesIn(view);
  const texts = waits.map((wait) => `For you: ${visibleLine(namedText(textIn(wait, 'text'), nameOf))}`);
  return [
    ...[...texts, ...(areInvited ? [LOST_CODE] : [])].flatMap((text) => wrapText(text, columns)),
    '',
    ...waits.flatMap((wait) => commandsOf(wait, context)).map((line) => `  ${line}`),
  ];
}

/** The command that takes the step of a brief, on what the brief shows. Empty if a condition for the step is missing. */
export function stepLines(
  brief: Members,
  { program, sessionId }: { readonly program: string; readonly sessionId: string },
): string[] {
  if (textsIn(brief, 'missing').length > 0) return [];
  const stage = textIn(brief, 'stage');
  const [operation, payload] = stage === 'approval' ? ['approveContract', {}] : ['authorize', { stage }];
  return [
    '',
    'To take this step:',
    `  ${settlingLine(program, { operation, sessionId, payload, seen: seenIn(brief) })}`,
  ];
}
