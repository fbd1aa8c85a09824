import assert from 'node:assert/strict';
import { createMemoryStorage, createParley } from '@parley/core';
import { createAgentClient, overHttp, ParleyError, redeem } from '@parley/core/client';
import { createHttpHost, serve } from '@parley/http-host';
import { type Json, loadMission, readOutcome, runMission } from '@parley/missions';

const storage = createMemoryStorage();
const parley = await createParley({ storage });
const host = createHttpHost(parley);
const server = await serve(host.handler, { host: '127.0.0.1', port: 0, parley });
const url = `${server.url}${host.prefix}`;
console.log(`agents use ${url}\n`);
const service = overHttp(url);

const mission = await loadMission('signed-webhooks');
const answers: Json[] = [];
const { agents } = await runMission(
  mission,
  {
    owner: parley.owner('integrations-team'),
    agents: async ({ code }) => createAgentClient(service, await redeem(service, { code, client_type: 'fetch' })).call,
  },
  ({ step, result }) => {
    answers.push(result);
    console.log(`${step.by.padEnd(8)} ${step.call}`);
  },
);
assert.deepEqual(await readOutcome(agents.agent_a), mission.outcome);
assert.deepEqual(await readOutcome(agents.agent_b), mission.outcome);

// If an agent did not receive an answer, it sends the turn again with the same `request_id`. It gets the same answer,
// and the turn is not posted twice.
const firstTurn = mission.discussion.findIndex(({ call }) => call === 'post_turn');
assert.deepEqual(await agents.agent_a('post_turn', mission.discussion[firstTurn]?.input ?? {}), answers[firstTurn]);

// After its end, a session accepts no writes. It can be read until the token expires.
await assert.rejects(
  agents.agent_b('post_turn', { summary: 'One more thing.' }),
  (error) => error instanceof ParleyError && error.code === 'SESSION_ENDED',
);

await server.close();
await parley.close();
await storage.close();
console.log(`\n${mission.session.title}: both agents read the same outcome.`);
