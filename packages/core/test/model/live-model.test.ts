import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createParley, ParleyError } from '../../src/index.ts';
import type { OpenedSession } from '../../src/testing/index.ts';
import { wholeView } from './invariants/log.ts';
import { makeLive, openLive, seenLive } from './live.ts';
import { commands, type Run, startFrom } from './run.ts';
import type { Seen } from './seen.ts';
import { planning, STARTS } from './starting-states.ts';
import { type Call, isRepeat, make, showCall, type World } from './world.ts';

const runs = Math.ceil(Number(process.env.MODEL_RUNS ?? 2_000) / 20);

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'ok',
    (error: unknown) => {
      if (error instanceof ParleyError) return error.code;
      throw error;
    },
  );

/**
 * Adds `by` to the numbers of messages in a call: the cursor, and the causes of a revision. A real session begins with invitations,
 * which the model's log does not contain.
 */
function shifted(call: Call, by: number): Call {
  const { cursor, causes } = call.input;
  if (Array.isArray(causes)) {
    const moved = causes.map((id: unknown) => (/^\d+$/.test(String(id)) ? String(Number(id) + by) : id));
    return { ...call, input: { ...call.input, causes: moved } };
  }
  return call.name === 'ack_events' && cursor !== 0 ? { ...call, input: { cursor: Number(cursor) + by } } : call;
}

/**
 * Repeats every call on a real Parley, and expects the same outcome as in the model. A refused call must not change the
 * head of the log.
 */
async function replay(session: OpenedSession, opened: World, calls: readonly Call[]): Promise<void> {
  let world = opened;
  let head = (await session.owner.view(session.sessionId)).head;
  const shift = head.seq - opened.state.head.seq;
  for (const call of calls) {
    const { world: made, refusal } = make(world, call);
    const after = refusal === null && isRepeat(world, call) ? world : made;
    expect(await codeOf(makeLive(session, shifted(call, shift))), showCall(call)).toBe(refusal?.code ?? 'ok');
    const moved = (await session.owner.view(session.sessionId)).head;
    expect(moved.seq - head.seq, showCall(call)).toBe(after.state.head.seq - world.state.head.seq);
    if (refusal) expect(moved).toEqual(head);
    head = moved;
    world = after;
  }
}

/** Opens the session in another Parley on the same storage. */
async function reopened(session: OpenedSession): Promise<OpenedSession> {
  const { storage, clock, tokens, sessionId } = session;
  const parley = await createParley({ storage, clock });
  return {
    ...session,
    parley,
    sessionId,
    owner: parley.owner('owner-1'),
    agentA: parley.agent(tokens.agent_a),
    agentB: parley.agent(tokens.agent_b),
    moderator: parley.agent(tokens.moderator),
  };
}

/** All views without `last_call_at`, which differs between processes. */
const sharedView = (now: Seen): unknown =>
  JSON.parse(JSON.stringify(wholeView(now), (member, value) => (member === 'last_call_at' ? null : value)));

describe('a whole Parley', () => {
  test('accepts and refuses the same calls as the model, and shows the same views in another process', async () => {
    const property = fc.asyncProperty(fc.constantFrom(...Object.keys(STARTS)), commands(16), async (name, sequence) => {
      const story = STARTS[name] ?? planning;
      const run: Run = startFrom(story);
      fc.modelRun(() => ({ model: run, real: run }), sequence);
      const session = await openLive(story.session, story.isStarted);
      await replay(session, startFrom({ ...story, calls: [] }).world, run.calls);
      expect(await session.owner.verifyLog(session.sessionId)).toMatchObject({ ok: true });
      const views = [await seenLive(session), await seenLive(await reopened(session))].map(sharedView);
      expect(views[1]).toStrictEqual(views[0]);
    });
    await fc.assert(property, { seed: 20_261_121, numRuns: runs });
  });
});
