import assert from 'node:assert/strict';
import { createMemoryStorage, createParley } from '@parley/core';

const parley = await createParley({ storage: createMemoryStorage() });
const owner = parley.owner('checkout-team'); // the id of the signed-in owner in your application

const { session_id } = await owner.createSession({
  title: 'Idempotent capture',
  objective: 'A customer is charged once, however often the shop retries.',
  requirements: [{ requirement_id: 'req-1', text: 'Any number of tries leads to one ledger entry.' }],
});
const invitationA = await owner.invite(session_id, { role: 'agent_a' }); // contains a code, which can be redeemed once
const invitationB = await owner.invite(session_id, { role: 'agent_b' });
const shop = parley.agent((await parley.redeem({ code: invitationA.code })).token);
const ledger = parley.agent((await parley.redeem({ code: invitationB.code })).token);
await owner.start(session_id);

await shop.call('post_turn', {
  request_id: 'turn-1',
  summary: 'We retry captures, and some are booked twice.',
  proposed_decisions: [{ topic: 'Idempotency key', position: 'Every try sends the capture_id of the order.' }],
});
const { instruction } = await ledger.call('read_session_state');
console.log(instruction); // { tool: 'post_turn', text: 'It is your turn (turn 1): …' }

await shop.call('accept_decision', { decision_id: 'd_1' });
const { decision } = await ledger.call('accept_decision', { decision_id: 'd_1' });
assert.equal(decision.status, 'RESOLVED');

const report = await owner.verifyLog(session_id);
assert.equal(report.ok, true);
await parley.close();
