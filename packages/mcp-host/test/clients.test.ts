import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seat } from '../../http-host/test/seated.ts';
import { MCP, start } from './started.ts';

const INFO = { name: 'probe', version: '1' };

/** The members that the tests use of each client. */
interface Connected {
  close(): Promise<void>;
  ping(): Promise<unknown>;
  getServerVersion(): { name: string } | undefined;
  getInstructions(): string | undefined;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<Record<string, unknown>>;
}

type Connect = (url: URL, headers: Record<string, string>) => Promise<Connected>;

const modern =
  (mode: 'legacy' | 'auto'): Connect =>
  async (url, headers) => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode } });
    await client.connect(new ModernTransport(url, { requestInit: { headers } }));
    return client;
  };

const CLIENTS: readonly [string, Connect][] = [
  [
    '@modelcontextprotocol/sdk',
    async (url, headers) => {
      const client = new Client(INFO);
      // The cast is needed because the SDK's types do not fit each other under `exactOptionalPropertyTypes`.
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as Transport);
      return client;
    },
  ],
  ['@modelcontextprotocol/client', modern('legacy')],
  ['@modelcontextprotocol/client that probes', modern('auto')],
];

const FORMS: readonly [string, (token: string) => { path: string; headers: Record<string, string> }][] = [
  ['header', (token) => ({ path: MCP, headers: { Authorization: `Bearer ${token}` } })],
  ['path', (token) => ({ path: `${MCP}/${token}`, headers: {} })],
];

/** Calls a tool, expects success, and returns the result. */
async function resultOf(client: Connected, name: string, input: Record<string, unknown> = {}) {
  const { isError, structuredContent } = await client.callTool({ name, arguments: input });
  expect([name, isError]).toEqual([name, false]);
  return Object(structuredContent);
}

describe.each(CLIENTS)('%s', (_client, connect) => {
  describe.each(FORMS)('with the token in the %s', (_form, place) => {
    async function connectAs(who: 'tokenA' | 'tokenB' | 'moderator') {
      const seated = await seat();
      const { url } = await start(seated.parley);
      const { path, headers } = place(who === 'moderator' ? await seated.token(who) : seated[who]);
      const client = await connect(new URL(path, url), headers);
      onTestFinished(() => client.close());
      return { client, ...seated };
    }

    it('connects, lists the tools, and reads results, refusals and protocol errors', async () => {
      const { client } = await connectAs('tokenA');
      expect(client.getServerVersion()).toMatchObject({ name: 'parley', title: 'Parley' });
      expect(client.getInstructions()).toContain('1. Call read_task first');
      await client.ping();
      expect((await client.listTools()).tools[0]?.name).toBe('read_task');
      expect(await resultOf(client, 'post_turn', { summary: 'Offsets hurt.' })).toMatchObject({
        next_agent: 'agent_b',
      });
      expect(await client.callTool({ name: 'post_turn', arguments: { summary: 'Me again.' } })).toMatchObject({
        isError: true,
        structuredContent: { error: 'NOT_YOUR_TURN', next_agent: 'agent_b' },
      });
      const invalid = await client.callTool({ name: 'post_turn', arguments: { sumary: 'x' } });
      expect(JSON.stringify(invalid.content)).toContain('sumary');
      await expect(client.callTool({ name: 'get_moderator_status' })).rejects.toMatchObject({ code: -32602 });
    });

    it('hears that the moderator is stopped as a protocol error, waiting or not', async () => {
      const { client, parley, owner, sessionId } = await connectAs('moderator');
      const { head } = await resultOf(client, 'get_moderator_status');
      await resultOf(client, 'ack_events', { cursor: head });
      const waiting = client.callTool({ name: 'wait_for_activity', arguments: { wait_seconds: 25 } });
      const refused = expect(waiting).rejects.toThrow('MODERATOR_STOPPED');
      await expect.poll(() => parley.heldPolls()).toBe(1);
      await owner.stopModerator(sessionId);
      await refused;
      await expect(client.listTools()).rejects.toThrow('MODERATOR_STOPPED');
    });

    it("gets the other agent's turn while it waits", async () => {
      const { client, parley, tokenA } = await connectAs('tokenB');
      const waiting = client.callTool({ name: 'wait_for_my_turn', arguments: { wait: 20 } });
      await expect.poll(() => parley.heldPolls()).toBe(1);
      await parley.agent(tokenA).call('post_turn', { summary: 'Offsets hurt.' });
      expect(await waiting).toMatchObject({ structuredContent: { your_turn: true } });
    });

    it('cannot connect with an unknown token', async () => {
      const { parley } = await seat();
      const { url } = await start(parley);
      const { path, headers } = place(`prt_${'x'.repeat(71)}`);
      await expect(connect(new URL(path, url), headers)).rejects.toThrow(/UNAUTHORIZED|401/);
    });
  });
});
