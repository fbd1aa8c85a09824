import assert from 'node:assert/strict';
import { createMemoryStorage, createParley } from '@parley/core';
import { loadMission, readOutcome, runMission } from '@parley/missions';

const storage = createMemoryStorage();
const parley = await createParley({ storage });
const owner = parley.owner('checkout-team');
const mission = await loadMission('payment-capture');

const { sessionId, agents } = await runMission(
  mission,
  {
    owner,
    agents: async ({ code }) => {
      const { token } = await parley.redeem({ code, client_type: 'in-process example' });
      return parley.agent(token).call;
    },
  },
  ({ step }) => console.log(`${step.by.padEnd(8)} ${step.call}`),
);

assert.deepEqual(await readOutcome(agents.agent_a), mission.outcome);
assert.deepEqual(await readOutcome(agents.agent_b), mission.outcome);

const plan = await owner.plan(sessionId);
assert.equal(plan.status, 'APPROVED');
console.log(`\n${plan.revision_id} was approved as ${plan.content_hash}.`);

const board = await agents.agent_a('verify_board', { format: 'both' });
console.log(`\n${board.markdown}`);

const report = await owner.verifyLog(sessionId);
assert.equal(report.ok, true);
await parley.close();
await storage.close();
console.log(`${mission.session.title}: ${report.events} events, the log verifies.`);
