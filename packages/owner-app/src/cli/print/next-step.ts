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
    ...togetherWith(wait, waits).flatMap((one) => waitLines(one, view, context)),
  ];
}

/** The task itself; for an absent agent, the tasks about all absent agents. */
function togetherWith(wait: Members | undefined, waits: readonly Members[]): Members[] {
  if (wait?.kind === 'AGENT_ABSENT') return waits.filter(({ kind }) => kind === 'AGENT_ABSENT');
  return wait ? [wait] : [];
}

/** What to say before a command that replaces a code, because a code is shown only once. */
export const LOST_CODE = 'If a code is lost, make a new one, which ends the lost code:';

function waitLines(wait: Members, view: Members, context: CommandContext): string[] {
  const { columns } = context.terminal;
  const agent = recordsIn(view, 'agents')
    .map(agentIn)
    .find(({ role }) => wait.kind === 'AGENT_ABSENT' && role === textIn(membersOf(wait.record), 'id'));
  const text = visibleLine(namedText(textIn(wait, 'text'), namesIn(view)));
  return [
    ...wrapText(`For you: ${text}`, columns),
    ...(agent && isInvited(agent, serverNow()) ? wrapText(LOST_CODE, columns) : []),
    '',
    ...commandsOf(wait, context).map((line) => `  ${line}`),
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
