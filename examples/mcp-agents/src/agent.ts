import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallByName, Json } from '@parley/missions';

/** Milliseconds after which a call without an answer fails: a waiting tool takes at most 25 seconds. */
const LIMIT_MS = 45_000;

export interface McpAgent {
  readonly call: CallByName;
  toolNames(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Connects the client of the official SDK to the MCP endpoint, with an agent's token.
 *
 * @param mcpUrl the MCP endpoint; its path ends in /api/public/mcp
 */
export async function connectOverMcp(mcpUrl: string, token: string): Promise<McpAgent> {
  const client = new Client({ name: 'parley-example', version: '0.1.0' });
  const transport = new StreamableHTTPClientTransport(new URL(mcpUrl), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport as Transport); // Cast: the SDK's types differ under exactOptionalPropertyTypes.
  return {
    call: async (name, input) => {
      const called = await client.callTool({ name, arguments: { ...input } }, CallToolResultSchema, {
        timeout: LIMIT_MS,
      });
      const result = CallToolResultSchema.parse(called);
      const answer: Json = result.structuredContent ?? {};
      if (result.isError) throw new Error(`${String(answer.error)}: ${String(answer.message)}`, { cause: answer });
      return answer;
    },
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  };
}
