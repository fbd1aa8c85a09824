import assert from 'node:assert/strict';
import { createParley } from '@parley/core';
import { type AgentFace, loadMission, playMission, readOutcome } from '@parley/missions';
import { createPostgresStorage } from '@parley/storage-pg';
import { openDatabase } from './database.ts';

const database = await openDatabase();

// Two processes in production, each with its own connections; nothing is shared but the database.
const east = await openProcess(database.url);
const west = await openProcess(database.url);

const mission = await loadMission('payment-capture');
const { sessionId, agents } = await playMission(
  mission,
  {
    owner: east.parley.owner('checkout-team'),
    async agents({ role, code }) {
      const { parley } = role === 'agent_a' ? east : west;
      const { token } = await parley.redeem({ code, client_type: `postgres example, ${role}` });
      return parley.agent(token).call as AgentFace; // a mission names its tools as plain text
    },
  },
  ({ step }) => console.log(`${step.by === 'agent_b' ? 'west' : 'east'}  ${step.by.padEnd(8)} ${step.call}`),
);
assert.deepEqual(await readOutcome(agents.agent_a), mission.outcome);

// Agent B has the turn. Agent A waits in the east; a turn posted in the west ends its wait.
const held = agents.agent_a('wait_for_my_turn', { wait: 25 });
await agents.agent_b('post_turn', { summary: 'The index is valid on staging; I start with the contract.' });
assert.equal((await held).your_turn, true);

// A process that starts later finds everything.
await east.close();
await west.close();
const north = await openProcess(database.url);
const owner = north.parley.owner('checkout-team');
const report = await owner.verifyLog(sessionId);
assert.equal(report.ok, true);
await owner.deleteSession(sessionId);
await north.close();
await database.remove();
console.log(`\n${mission.session.title}: ${report.events} events, the log verifies.`);

async function openProcess(connectionString: string) {
  const storage = await createPostgresStorage({ connectionString });
  const parley = await createParley({ storage });
  return { parley, close: () => parley.close().then(() => storage.close()) };
}
