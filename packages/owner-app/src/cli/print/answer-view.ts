import { outlineLines } from '../../text/outline.ts';
import { visible } from '../../text/visible.ts';
import { type Members, membersOf, readMessage, recordsIn } from '../../transcript/message.ts';
import type { Json } from '../client/request.ts';
import { settlingLine } from '../flags/command-line.ts';
import type { Terminal } from '../terminal.ts';
import { formatBlockers } from './format-blockers.ts';
import { formatBoard } from './format-board.ts';
import { formatDiff } from './format-diff.ts';
import { formatSession } from './format-session.ts';
import { createMessagePrinter } from './message-printer.ts';

/** The terminal, and the session to which the answer belongs. */
export interface Shown {
  readonly terminal: Terminal;
  readonly url: string;
  readonly sessionId: string;
}

/** Formats the answer of an operation. If the operation has no format of its own, formats the answer as an outline. */
export function showAnswer(operation: string, { left_out, ...answer }: Json, shown: Shown): string[] {
  const view = VIEWS.get(operation) ?? ((value, { terminal }) => outlineLines(value, terminal));
  return [...view(answer, shown), ...leftOutLines(membersOf(left_out), shown.terminal)];
}

/** The line that says how many records the answer leaves out because of its size, and how to read them. */
const leftOutLines = ({ count, how }: Members, { paint }: Terminal): string[] =>
  typeof count === 'number' ? ['', paint('dim', `Left out: ${count}. ${String(how)}`)] : [];

type View = (answer: Json, shown: Shown) => string[];

const VIEWS: ReadonlyMap<string, View> = new Map<string, View>([
  ['view', (answer, { terminal }) => formatSession(answer, terminal)],
  ['diff', (answer, { terminal }) => formatDiff(answer, terminal)],
  ['blockers', blockerLines],
  ['artifact', artifactLines],
  ['transcript', messageLines],
  ['board', (answer, { terminal }) => formatBoard(answer, terminal)],
  ['plan', contractLines],
  ['revision', contractLines],
  ['invite', invitationLines],
]);

function blockerLines(answer: Json, { terminal, sessionId }: Shown): string[] {
  const commandOf = (operation: string, payload: Json): string =>
    settlingLine(terminal.program, { operation, sessionId, payload });
  return formatBlockers(answer, commandOf, terminal);
}

function messageLines(answer: Json, { terminal }: Shown): string[] {
  const printer = createMessagePrinter(terminal);
  const lines = recordsIn(answer, 'messages').flatMap((message) => printer.lines(readMessage(message)));
  return answer.more === true ? [...lines, '', `There is more: --after ${String(answer.next_cursor)}`] : lines;
}

/**
 * Formats a contract as Markdown, below the id and the hash that an approval names. If the answer is a piece of a long
 * contract, formats it as an outline.
 */
function contractLines(answer: Json, { terminal }: Shown): string[] {
  const { contract: _data, markdown, ...facts } = answer;
  if (typeof markdown !== 'string') return outlineLines(answer, terminal);
  return [...outlineLines(facts, terminal), '', ...markdown.split('\n').map(visible)];
}

/** Formats an artifact: its metadata, then its content with control characters spelled out. */
function artifactLines({ content, ...facts }: Json, { terminal }: Shown): string[] {
  return [...outlineLines(facts, terminal), '', ...String(content).replace(/\n$/, '').split('\n').map(visible)];
}

function invitationLines(answer: Json, { terminal, url }: Shown): string[] {
  return [...outlineLines(answer, terminal), '', ...redeemLines(String(answer.code), url)];
}

const redeemLines = (code: string, url: string): string[] => [
  'Give the code to the person who runs the agent. It works once. In the repository of the agent, connect a client with it, or redeem it by hand:',
  '',
  `  parley connect ${code} --for claude-code --url ${url}`,
  `  curl -s ${url}/api/public/agent/invitations/redeem -d '{"code":"${code}"}'`,
  '',
  `The agent then works over MCP at ${url}/api/public/mcp (Authorization: Bearer prt_...).`,
];
