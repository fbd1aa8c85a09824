import { boardCard } from '../print/board-card.ts';
import { readMessage, recordsIn } from '../print/message.ts';
import { createMessagePrinter } from '../print/message-printer.ts';
import { outlineLines } from '../print/outline.ts';
import { isSessionView, sessionCard } from '../print/session-card.ts';
import { visible } from '../print/visible.ts';
import type { Json } from './owner-client.ts';
import type { Terminal } from './terminal.ts';

/** An answer for a person. What it holds decides how it looks, so that a new operation needs nothing here. */
export function showAnswer(answer: Json, terminal: Terminal, url: string): string[] {
  const { code, messages, markdown, certification } = answer;
  if (isSessionView(answer)) return sessionCard(answer, terminal);
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

const redeemLines = (code: string, url: string): string[] => [
  'Give the code to the agent, once. It exchanges it for its token with:',
  '',
  `  curl -s ${url}/api/public/agent/invitations/redeem -d '{"code":"${code}"}'`,
  '',
  `and then works over MCP at ${url}/api/public/mcp (Authorization: Bearer prt_...).`,
];
