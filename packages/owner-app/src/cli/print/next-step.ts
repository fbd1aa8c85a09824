import { namedText } from '../../text/agent.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, recordsIn, textIn } from '../../transcript/message.ts';
import { settlingLines } from '../flags/command-line.ts';
import type { Terminal } from '../terminal.ts';
import { dutiesIn, namesIn } from './agent-names.ts';

interface CommandContext {
  readonly terminal: Terminal;
  readonly sessionId: string;
}

/**
 * The command lines that complete a task of the owner. If the owner can choose, there is one command line for each
 * choice.
 */
export const commandsOf = (wait: Members, { terminal, sessionId }: CommandContext): string[] =>
  settlingLines(terminal.program, {
    operation: textIn(wait, 'operation'),
    sessionId,
    payload: membersOf(wait.payload),
  });

/** What happens next in a session: who must act, and the most urgent task of the owner with its commands. */
export function nextLines(view: Members, context: CommandContext): string[] {
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
    ...duties.flatMap((duty) => wrapText(duty, terminal.columns)),
    ...(wait ? waitLines(namedText(textIn(wait, 'text'), nameOf), wait, context) : []),
  ];
}

function waitLines(text: string, wait: Members, context: CommandContext): string[] {
  const commands = commandsOf(wait, context).map((line) => `  ${line}`);
  return [...wrapText(`For you: ${visibleLine(text)}`, context.terminal.columns), '', ...commands];
}
