import { outlineLines } from '../text/outline.ts';
import { visible } from '../text/visible.ts';
import { type Members, membersOf, readMessage, recordsIn } from '../transcript/message.ts';
import { settlingLine } from './command-line.ts';
import { blockersCard } from './print/format-blockers.ts';
import { boardCard } from './print/format-board.ts';
import { diffCard, isDiff } from './print/format-diff.ts';
import { isSessionView, sessionCard } from './print/format-session.ts';
import { createMessagePrinter } from './print/message-printer.ts';
import type { Json } from './request.ts';
import type { Terminal } from './terminal.ts';

/** Where an answer is shown, and of what it is. */
export interface Shown {
  readonly terminal: Terminal;
  readonly url: string;
  readonly sessionId: string;
}

/** An answer for a person. What it holds decides how it looks, so that a new operation needs nothing here. */
export function showAnswer({ left_out, ...answer }: Json, shown: Shown): string[] {
  return [...answerLines(answer, shown), ...leftOutLines(membersOf(left_out), shown.terminal)];
}

/** What the answer leaves out for its size, and how it is read. */
const leftOutLines = ({ count, how }: Members, { paint }: Terminal): string[] =>
  typeof count === 'number' ? ['', paint('dim', `Left out: ${count}. ${String(how)}`)] : [];

function answerLines(answer: Json, { terminal, url, sessionId }: Shown): string[] {
  const { code, messages, markdown, certification, certified, filename, content } = answer;
  const commandOf = (operation: string, payload: Json): string =>
    settlingLine(terminal.program, { operation, sessionId, payload });
  if (isSessionView(answer)) return sessionCard(answer, terminal);
  if (isDiff(answer)) return diffCard(answer, terminal);
  if (typeof certified === 'boolean') return blockersCard(answer, commandOf, terminal);
  if (typeof filename === 'string' && typeof content === 'string') return artifactLines(answer, content, terminal);
  if (Array.isArray(messages)) return messageLines(answer, terminal);
  if (certification !== undefined) return boardCard(answer, terminal);
  if (typeof markdown === 'string') return planLines(answer, markdown, terminal);
  const lines = outlineLines(answer, terminal);
  return typeof code === 'string' && code.startsWith('pinv_') ? [...lines, '', ...redeemLines(code, url)] : lines;
}

function messageLines(answer: Json, terminal: Terminal): string[] {
  const printer = createMessagePrinter(terminal);
  const lines = recordsIn(answer, 'messages').flatMap((message) => printer.lines(readMessage(message)));
  return answer.more === true ? [...lines, '', `There is more: --after ${String(answer.next_cursor)}`] : lines;
}

/** A contract as it reads, after what an approval must name. */
function planLines(
  { contract: _data, markdown: _text, ...facts }: Json,
  markdown: string,
  terminal: Terminal,
): string[] {
  return [...outlineLines(facts, terminal), '', ...markdown.split('\n').map(visible)];
}

/** An artifact byte for byte as far as a terminal may show it, after its facts. */
const artifactLines = ({ content: _text, ...facts }: Json, content: string, terminal: Terminal): string[] => [
  ...outlineLines(facts, terminal),
  '',
  ...content.replace(/\n$/, '').split('\n').map(visible),
];

const redeemLines = (code: string, url: string): string[] => [
  'Give the code to whoever runs the agent, once. In its repository it connects a client, or is exchanged by hand:',
  '',
  `  parley connect ${code} --for claude-code --url ${url}`,
  `  curl -s ${url}/api/public/agent/invitations/redeem -d '{"code":"${code}"}'`,
  '',
  `The agent then works over MCP at ${url}/api/public/mcp (Authorization: Bearer prt_...).`,
];
