import { outlineLines } from '../print/outline.ts';
import type { Json } from './owner-client.ts';
import type { Terminal } from './terminal.ts';

/** An answer for a person. What an answer holds decides how it looks: an invitation code also says how to use it. */
export function showAnswer(answer: Json, terminal: Terminal, url: string): string[] {
  const lines = outlineLines(answer, terminal);
  const { code } = answer;
  return typeof code === 'string' && code.startsWith('pinv_') ? [...lines, '', ...redeemLines(code, url)] : lines;
}

const redeemLines = (code: string, url: string): string[] => [
  'Give the code to the agent, once. It exchanges it for its token with:',
  '',
  `  curl -s ${url}/api/public/agent/invitations/redeem -d '{"code":"${code}"}'`,
  '',
  `and then works over MCP at ${url}/api/public/mcp (Authorization: Bearer prt_...).`,
];
