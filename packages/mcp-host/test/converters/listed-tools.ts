import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect, onTestFinished } from 'vitest';
import { seat } from '../../../http-host/test/seated.ts';
import { MCP, start } from '../started.ts';
import { type MemberTypes, memberTypes } from './member-types.ts';

export const ROLES = [
  ['agent_a', 48],
  ['moderator', 23],
] as const;

/** Returns the tools that a client of this role gets. The client stays connected until the test ends. */
export async function listTools(role: 'agent_a' | 'moderator', count: number) {
  const { parley, token } = await seat();
  const { url } = await start(parley);
  const [address, headers] = [new URL(MCP, url), { Authorization: `Bearer ${await token(role)}` }];
  const client = new Client({ name: 'probe', version: '1' });
  // The cast is needed because the SDK's types do not fit each other under `exactOptionalPropertyTypes`.
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }) as Transport);
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.length).toBe(count);
  return { client, tools, address, headers };
}

/** Returns the types of the input members of each tool. */
export const typesByTool = (schemas: Iterable<readonly [name: string, schema: unknown]>): Record<string, MemberTypes> =>
  Object.fromEntries(Array.from(schemas, ([name, schema]) => [name, memberTypes(schema)]));
