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

const MODERATOR_TOOLS = [
  ...['ack_events', 'ask_agent', 'complete_action', 'get_contract_review', 'get_final_plan', 'get_moderator_findings'],
  ...['get_moderator_questions', 'get_moderator_status', 'get_session_events', 'list_blockers', 'list_decisions'],
  ...['read_messages', 'read_session_state', 'read_task', 'recommend_to_owner', 'release_hold', 'request_hold'],
  ...['resolve_finding', 'submit_contract_review', 'submit_moderator_finding', 'verify_board', 'wait_for_activity'],
  'withdraw_question',
];

const FINDING = { category: 'SCOPE', text: 'No limit is named.', resolution_criteria: 'One is.' };

/** Calls of tools by their older names, in order, each with the expected answer. */
const OLDER_CALLS: readonly (readonly [name: string, input: Record<string, unknown>, expected: object])[] = [
  ['ask_agents', { text: 'Is it signed?' }, { question: { intervention_id: 'i_1', status: 'OPEN' } }],
  ['withdraw_intervention', { intervention_id: 'i_1' }, { question: { intervention_id: 'i_1', status: 'WITHDRAWN' } }],
  ['raise_finding', FINDING, { finding: { finding_id: 'f_1', status: 'OPEN' }, hold: null }],
  ['list_findings', {}, { findings: [{ finding_id: 'f_1', raised_by: 'moderator' }] }],
];

/** Calls a tool, expects success, and returns the result. */
async function resultOf(client: Connected, name: string, input: Record<string, unknown> = {}) {
  const { isError, structuredContent } = await client.callTool({ name, arguments: input });
  expect([name, isError]).toEqual([name, false]);
  return Object(structuredContent);
}

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

    async function connectModerator() {
      const seated = await seat();
      const { url } = await start(seated.parley);
      const { path, headers } = place(await seated.token('moderator'));
      const client = await connect(new URL(path, url), headers);
      onTestFinished(() => client.close());
      return { client, ...seated };
    }

    it('connects, and lists the most needed tools first', async () => {
      const { client } = await connectAs('tokenA');
      expect(client.getServerVersion()).toMatchObject({ name: 'parley', title: 'Parley' });
      expect(client.getInstructions()).toContain('1. Call read_task first');
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

    it('moderates: lists the 23 tools of a moderator, reads and acknowledges events, asks and finds', async () => {
      const { client } = await connectModerator();
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names.toSorted()).toEqual(MODERATOR_TOOLS);
      const { events, next_cursor } = await resultOf(client, 'wait_for_activity', { wait_seconds: 25 });
      expect(events).toMatchObject([{ kind: 'session.started', actor: 'owner', subject: { type: 'session' } }]);
      const again = await resultOf(client, 'get_session_events', { limit: 100 });
      expect(again.events).toEqual(events);
      expect(await resultOf(client, 'ack_events', { cursor: next_cursor })).toMatchObject({
        acked_cursor: next_cursor,
      });
      expect(await resultOf(client, 'get_session_events')).toMatchObject({ events: [], acked_cursor: next_cursor });
      expect(await resultOf(client, 'ask_agent', { text: 'Is it indexed?' })).toMatchObject({
        question: { intervention_id: 'i_1', status: 'OPEN', targets: ['agent_a', 'agent_b'] },
      });
      const held = await resultOf(client, 'submit_moderator_finding', {
        ...FINDING,
        request_hold: true,
        hold_reason: 'x',
      });
      expect(held).toMatchObject({ finding: { finding_id: 'f_1' }, hold: { hold_id: 'h_1', status: 'ACTIVE' } });
      expect(await resultOf(client, 'release_hold', { hold_id: 'h_1' })).toMatchObject({
        hold: { status: 'RELEASED' },
      });
    });

    it('moderates by the older names, which are not listed', async () => {
      const { client } = await connectModerator();
      const names = new Set((await client.listTools()).tools.map(({ name }) => name));
      expect(OLDER_CALLS.filter(([name]) => names.has(name))).toEqual([]);
      for (const [name, input, expected] of OLDER_CALLS)
        expect([name, await resultOf(client, name, input)]).toMatchObject([name, expected]);
    });

    it.each([
      ['MODERATOR_STOPPED', 'stopModerator'],
      ['MODERATOR_NOT_ENTITLED', 'entitlement'],
    ] as const)('hears %s as a protocol error, waiting or not', async (code, what) => {
      const { client, parley, owner, sessionId } = await connectModerator();
      const { head } = await resultOf(client, 'get_moderator_status');
      await resultOf(client, 'ack_events', { cursor: head });
      const waiting = client.callTool({ name: 'wait_for_activity', arguments: { wait_seconds: 25 } });
      const refused = expect(waiting).rejects.toThrow(code);
      await expect.poll(() => parley.heldPolls()).toBe(1);
      if (what === 'entitlement') await owner.setModeratorEntitlement({ entitled: false });
      else await owner.stopModerator(sessionId);
      await refused;
      await expect(client.listTools()).rejects.toThrow(code);
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
