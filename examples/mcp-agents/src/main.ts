import assert from 'node:assert/strict';
import { createMemoryStorage, createParley } from '@parley/core';
import { overHttp, redeem } from '@parley/core/client';
import { createHttpHost, serve } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import { type CallByName, loadMission, readOutcome, runMission } from '@parley/missions';
import { connectOverMcp, type McpAgent } from './agent.ts';

const storage = createMemoryStorage();
const parley = await createParley({ storage });
const rest = createHttpHost(parley);
const mcp = createMcpHost(parley);
const server = await serve(
  (request, response) => mcp.handler(request, response, () => rest.handler(request, response)),
  { host: '127.0.0.1', port: 0, parley },
);
console.log(`agents use ${server.url}${mcp.prefix}\n`);

const mission = await loadMission('offline-sync');
const owner = parley.owner('field-team');
const clients: McpAgent[] = [];
const watching: { readonly moderator: CallByName; readonly ended: Promise<number[]> }[] = [];
const { agents } = await runMission(
  mission,
  { owner, agents: ({ code }) => join(code) },
  async ({ sessionId, index, step }) => {
    console.log(`${step.by.padEnd(8)} ${step.call}`);
    if (index > 0) return;
    // A moderator may join at any time. Without permissions, it can only read.
    const { code } = await owner.invite(sessionId, { role: 'moderator', permissions: [] });
    const moderator = await join(code);
    watching.push({ moderator, ended: watch(moderator) });
  },
);
assert.deepEqual(await readOutcome(agents.agent_a), mission.outcome);
assert.deepEqual(await readOutcome(agents.agent_b), mission.outcome);

// If a call is refused over MCP, the tool result contains the error. The connection stays open.
await assert.rejects(agents.agent_b('fetch_artifact', { filename: 'handoff-agent-a.md' }), ({ cause }: Error) => {
  assert.equal(Object(cause).error, 'ARTIFACT_NOT_ASSIGNED');
  return true;
});

// The moderator joined late, but has received every event once and in order.
for (const { moderator, ended } of watching) {
  const seen = await ended;
  assert.deepEqual(
    seen,
    [...new Set(seen)].sort((a, b) => a - b),
  );
  assert.equal(seen.at(-1), (await moderator('get_moderator_status', {})).head);
  console.log(`\nmoderator saw ${seen.length} events`);
}

for (const client of clients) await client.close();
await server.close();
await parley.close();
await storage.close();
console.log(`\n${mission.session.title}: both agents read the same outcome.`);

/** Redeems an invitation code over REST. The agent makes all further calls over MCP. */
async function join(code: string) {
  const { token } = await redeem(overHttp(`${server.url}${rest.prefix}`), { code, client_type: 'mcp-sdk' });
  const client = await connectOverMcp(`${server.url}${mcp.prefix}`, token);
  assert.deepEqual((await client.toolNames()).slice(0, 2), ['read_task', 'read_session_state']);
  clients.push(client);
  return client.call;
}

type Feed = {
  readonly events: readonly { readonly id: number }[];
  readonly next_cursor: number;
  readonly head: number;
  readonly status: string;
};

/** Waits for events and acknowledges them until the session ends. Returns the ids of all events. */
async function watch(moderator: CallByName): Promise<number[]> {
  const seen: number[] = [];
  for (;;) {
    const { events, next_cursor, head, status } = (await moderator('wait_for_activity', { wait_seconds: 25 })) as Feed;
    seen.push(...events.map(({ id }) => id));
    await moderator('ack_events', { cursor: next_cursor });
    if (status === 'ENDED' && next_cursor === head) return seen;
  }
}
