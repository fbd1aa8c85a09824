import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seat } from '../../http-host/test/seated.ts';
import { MCP, start } from './started.ts';

const INFO = { name: 'probe', version: '1' };

/** What the clients have in common here. */
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
      // The SDK's own types differ under exactOptionalPropertyTypes.
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

describe.each(CLIENTS)('%s', (_client, connect) => {
  describe.each(FORMS)('with the token in the %s', (_form, place) => {
    async function connectAs(role: 'tokenA' | 'tokenB') {
      const seated = await seat();
      const { url } = await start(seated.parley);
      const { path, headers } = place(seated[role]);
      const client = await connect(new URL(path, url), headers);
      onTestFinished(() => client.close());
      return { client, ...seated };
    }

    it('connects, and lists the tools most needed first', async () => {
      const { client } = await connectAs('tokenA');
      expect(client.getServerVersion()).toMatchObject({ name: 'parley', title: 'Parley' });
      expect(client.getInstructions()).toContain('1. Read the task first');
      await client.ping();
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names.slice(0, 5)).toEqual([
        'read_task',
        'read_session_state',
        'wait_for_my_turn',
        'read_messages',
        'post_turn',
      ]);
    });

    it('calls tools and reads results', async () => {
      const { client } = await connectAs('tokenA');
      const state = await client.callTool({ name: 'read_session_state' });
      expect(state).toMatchObject({ isError: false, structuredContent: { your_turn: true } });
      const posted = await client.callTool({ name: 'post_turn', arguments: { summary: 'Offsets hurt.' } });
      expect(posted).toMatchObject({ isError: false, structuredContent: { next_agent: 'agent_b' } });
    });

    it('reads why a call was refused', async () => {
      const { client } = await connectAs('tokenB');
      const refused = await client.callTool({ name: 'post_turn', arguments: { summary: 'Me first.' } });
      expect(refused).toMatchObject({
        isError: true,
        structuredContent: { error: 'NOT_YOUR_TURN', next_agent: 'agent_a' },
      });
      const invalid = await client.callTool({ name: 'post_turn', arguments: { sumary: 'x' } });
      expect(JSON.stringify(invalid.content)).toContain('sumary');
    });

    it('learns that a tool does not exist for its token', async () => {
      const { client } = await connectAs('tokenA');
      await expect(client.callTool({ name: 'get_moderator_status' })).rejects.toMatchObject({ code: -32602 });
    });

    it('hears of a turn while it waits', async () => {
      const { client, parley, tokenA } = await connectAs('tokenB');
      const waiting = client.callTool({ name: 'wait_for_my_turn', arguments: { wait: 20 } });
      await expect.poll(() => parley.heldPolls()).toBe(1);
      await parley.agent(tokenA).call('post_turn', { summary: 'Offsets hurt.' });
      expect(await waiting).toMatchObject({ structuredContent: { your_turn: true } });
    });

    it('cannot connect with a token that nobody knows', async () => {
      const { parley } = await seat();
      const { url } = await start(parley);
      const { path, headers } = place(`prt_${'x'.repeat(71)}`);
      await expect(connect(new URL(path, url), headers)).rejects.toThrow(/UNAUTHORIZED|401/);
    });
  });
});
