import assert from 'node:assert/strict';
import { createMemoryStorage, createParley } from '@parley/core';
import { createHttpHost, serve } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import { loadMission, playMission, readOutcome } from '@parley/missions';
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
const clients: McpAgent[] = [];
const { agents } = await playMission(
  mission,
  { owner: parley.owner('field-team'), agents: ({ code }) => join(code) },
  ({ step }) => console.log(`${step.by.padEnd(8)} ${step.call}`),
);
assert.deepEqual(await readOutcome(agents.agent_a), mission.outcome);
assert.deepEqual(await readOutcome(agents.agent_b), mission.outcome);

// A refused call is a tool result that the model can read, not a broken connection.
await assert.rejects(agents.agent_b('fetch_artifact', { filename: 'handoff-agent-a.md' }), ({ cause }: Error) => {
  assert.equal(Object(cause).error, 'ARTIFACT_NOT_ASSIGNED');
  return true;
});

for (const client of clients) await client.close();
await server.close();
await parley.close();
await storage.close();
console.log(`\n${mission.session.title}: both agents see the same end.`);

/** A code is redeemed over REST; from then on the agent speaks MCP only. */
async function join(code: string) {
  const response = await fetch(`${server.url}${rest.prefix}/invitations/redeem`, {
    method: 'POST',
    body: JSON.stringify({ code, client_type: 'mcp-sdk' }),
  });
  const { token } = (await response.json()) as { token: string };
  const client = await connectOverMcp(`${server.url}${mcp.prefix}`, token);
  assert.deepEqual((await client.toolNames()).slice(0, 2), ['read_task', 'read_session_state']);
  clients.push(client);
  return client.call;
}
