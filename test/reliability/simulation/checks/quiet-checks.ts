import { createParley, type Parley, verifyLog } from '@parley/core';
import { answered, type Seat } from '../clients/calls.ts';
import { OWNER } from '../clients/owner-calls.ts';
import type { SimulatedSession } from '../clients/session.ts';
import { connect } from '../world/connection.ts';
import { clockOf, createProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';
import { numberIn, parse } from './reading.ts';

/**
 * Checks, when no work is pending, that every log can be verified and that every host answers like a newly started
 * host.
 */
export async function checkQuiet(world: World, sessions: readonly SimulatedSession[]): Promise<void> {
  const { ledger, store, timeline, hosts } = world;
  await timeline.sleep(5_000); // These and up to 60 more seconds are enough for the last crashed host to restart.
  for (let left = 60; left > 0 && ledger.openRequests().length > 0; left -= 1) await timeline.sleep(1_000);
  for (const host of hosts) host.clockOffset = 0;
  const fresh = await startFresh(world);
  for (const session of sessions) {
    const { fault } = await verifyLog(store.log(session.sessionId));
    if (fault) ledger.violate(`log: ${fault.message}`);
    const expected = await portrait(fresh, session);
    for (const { name, process } of hosts) {
      if (!process?.parley) ledger.violate(`quiet: ${name} is down`);
      else compare(world, name, await portrait(process.parley, session), expected);
      if (process?.parley?.heldPolls() !== 0) ledger.violate(`quiet: ${name} still holds polls`);
    }
  }
}

async function startFresh(world: World): Promise<Parley> {
  const process = createProcess(world, 'fresh', () => undefined);
  const clock = clockOf(world, process, () => 0);
  return await createParley({ storage: connect(world, process), clock, random: world.prng.bytes });
}

function compare({ ledger }: World, name: string, shown: readonly string[], expected: readonly string[]): void {
  const at = expected.findIndex((part, index) => part !== shown[index]);
  if (at >= 0) ledger.violate(`quiet: ${name} shows ${shown[at]} instead of ${expected[at]}`);
}

/**
 * Replaces `last_call_at` by null. Hosts may differ in it, because each host records only the calls that it answered.
 */
const withoutCalls = (member: string, value: unknown): unknown => (member === 'last_call_at' ? null : value);

/** Reads everything that the owner and each agent can read of a session, except the times of calls. */
async function portrait(parley: Parley, { sessionId, seats }: SimulatedSession): Promise<string[]> {
  const owner = parley.owner(OWNER);
  const parts = [JSON.stringify(await owner.call('view', sessionId), withoutCalls)];
  parts.push(...(await pages(async (after) => JSON.stringify(await owner.call('transcript', sessionId, { after })))));
  for (const seat of seats) parts.push(...(await seatPortrait(parley, seat)));
  return parts;
}

async function seatPortrait(parley: Parley, { token }: Seat): Promise<string[]> {
  const agent = parley.agent(token);
  const show = async (call: Promise<object>): Promise<string> =>
    (await answered(parley, async () => JSON.stringify(await call))).body;
  return [
    ...(await pages((after) => show(agent.call('read_messages', { after })))),
    await show(agent.call('read_session_state')),
    await show(agent.call('list_decisions')),
    await show(agent.call('poll_actions')),
  ];
}

async function pages(page: (after: number) => Promise<string>): Promise<string[]> {
  const found: string[] = [];
  for (let after = 0; ; ) {
    const text = await page(after);
    found.push(text);
    const answer = parse(text);
    if (answer.more !== true) return found;
    after = numberIn(answer, 'next_cursor');
  }
}
