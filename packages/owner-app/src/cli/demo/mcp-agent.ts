import { overHttp, redeem } from '@parley/core/client';
import type { CallByName } from '@parley/missions';
import { type Members, membersOf, textIn } from '../../transcript/message.ts';
import { VERSION } from '../version.ts';

/** Redeems an invitation code and initializes MCP over HTTP, as any MCP client does. */
export async function joinByMcp(url: string, code: string): Promise<CallByName> {
  const { token } = await redeem(overHttp(`${url}/api/public/agent`), { code, client_type: 'parley-demo' });
  const send = createConnection(`${url}/api/public/mcp`, token);
  const clientInfo = { name: 'parley-demo', version: VERSION };
  await send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return async (name, input) => {
    const result = await send('tools/call', { name, arguments: input });
    const value = membersOf(result.structuredContent);
    if (result.isError === true)
      throw new Error(`${name} was refused: ${textIn(value, 'error')}: ${textIn(value, 'message')}`);
    return value;
  };
}

function createConnection(address: string, token: string): (method: string, params: Members) => Promise<Members> {
  let id = 0;
  return async (method, params) => {
    id += 1;
    const answer = await post(address, { jsonrpc: '2.0', id, method, params }, { authorization: `Bearer ${token}` });
    if (answer.error !== undefined) throw new Error(`${method}: ${textIn(membersOf(answer.error), 'message')}`);
    return membersOf(answer.result);
  };
}

async function post(address: string, body: Members, headers: Readonly<Record<string, string>> = {}): Promise<Members> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
  const answer = membersOf(await response.json());
  if (response.ok) return answer;
  const error = answer.ok === false ? answer : membersOf(answer.error);
  throw new Error(`${new URL(address).pathname} answered ${response.status}: ${textIn(error, 'message')}`);
}
