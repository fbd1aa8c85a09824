import assert from 'node:assert/strict';
import { createParley } from '@parley/core';
import { type CallTool, type Json, loadMission, readOutcome, runMission } from '@parley/missions';
import { createPostgresStorage } from '@parley/storage-pg';
import { openDatabase } from './database.ts';

const database = await openDatabase();

// In production, these would be two processes. They share only the database.
const east = await openProcess(database.url);
const west = await openProcess(database.url);

const mission = await loadMission('payment-capture');
const faces = new Map<string, CallTool>();
const held: Promise<Json>[] = [];
const { sessionId, agents } = await runMission(
  mission,
  {
    owner: east.parley.owner('checkout-team'),
    async agents({ role, code }) {
      const { parley } = role === 'agent_a' ? east : west;
      const { token } = await parley.redeem({ code, client_type: `postgres example, ${role}` });
      const face = parley.agent(token).call as CallTool; // The cast is needed because a mission names its tools as plain text.
      faces.set(role, face);
      return face;
    },
  },
  async ({ step: { by, call } }) => {
    console.log(`${by === 'agent_b' ? 'west' : 'east'}  ${by.padEnd(8)} ${call}`);
    // After its first turn, agent A waits in the process `east`. With `after`, the wait does not end for work that
    // agent A already had, but for the turn that agent B posts in `west`.
    const wait = faces.get('agent_a');
    if (wait && by === 'agent_a' && call === 'post_turn' && held.length === 0) {
      const { cursor: after } = await wait('read_session_state', {});
      held.push(wait('wait_for_my_turn', { wait: 25, after }));
    }
  },
);
for (const state of await Promise.all(held)) assert.equal(state.your_turn, true);
assert.equal(held.length, 1);
assert.deepEqual(await readOutcome(agents.agent_a), mission.outcome);
assert.deepEqual(await readOutcome(agents.agent_b), mission.outcome);

// Another process that is started later reads the same session from the database.
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
