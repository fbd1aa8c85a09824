import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createParley, type Owner, type Parley, ParleyError, type Storage } from '@parley/core';
import { createTestClock, createTestRandom, type TestClock } from '@parley/core/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FOLD_VERSION } from '../../packages/core/src/areas/domain.ts';
import {
  inboxPlaceByLog,
  inboxPlaceOf,
  ownerWaits,
} from '../../packages/core/src/areas/session/owner-waits/owner-waits.ts';
import { inboxOf } from '../../packages/owner-app/src/text/inbox.ts';
import { begun, folded, readLogs } from './support/golden-logs.ts';
import { STORES } from './support/stores.ts';

const MINUTE = 60_000;
/** The longest pause before the retry of a write that lost a race, in milliseconds. */
const PAUSE_MS = 50;
const SILENT_AFTER_MS = 15 * MINUTE;

/** Generates whole numbers from 0 to `count` - 1, the same in each run. */
function dice(seed: number): (count: number) => number {
  const random = createTestRandom(seed);
  return (count) => {
    const [high = 0, low = 0] = random(2);
    return (high * 256 + low) % count;
  };
}

test('in each state of the stored logs the place is due exactly when something waits, and the one by the log no later', async () => {
  const roll = dice(7);
  const wrong: unknown[] = [];
  let compared = 0;
  const ranks = new Set<number | undefined>();
  for (const [name, events] of await readLogs()) {
    if (!name.startsWith(`${FOLD_VERSION}-`)) continue;
    let state = begun(events);
    for (const event of events) {
      state = folded([event], state);
      const fromLog = inboxPlaceByLog(state, SILENT_AFTER_MS);
      ranks.add(fromLog?.rank);
      const written = Date.parse(state.at);
      const turns = fromLog ? [Date.parse(fromLog.at) - 1, Date.parse(fromLog.at)] : [];
      for (const nowMs of [...turns, ...Array.from({ length: 2 }, () => written + roll(2_000) * MINUTE)]) {
        const call = () => ({ atMs: nowMs - roll(90) * MINUTE, isWaiting: roll(4) === 0 });
        for (const calls of [{}, roll(2) === 0 ? { agent_a: call() } : { agent_a: call(), agent_b: call() }]) {
          const presence = { nowMs, silentAfterMs: SILENT_AFTER_MS, calls };
          const waits = ownerWaits(state, presence).length > 0;
          const isDue = (place: typeof fromLog): boolean =>
            place !== null && (place.rank < 4 || Date.parse(place.at) <= nowMs);
          const isMissed = waits && !isDue(fromLog);
          if (isMissed || isDue(inboxPlaceOf(state, presence)) !== waits) wrong.push([name, state.head.seq, presence]);
          compared += 1;
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(2_000);
  expect([...ranks].sort()).toEqual([1, 2, 3, 4, undefined]);
});

interface Desk {
  readonly parley: Parley;
  readonly owner: Owner;
}

async function everything(owner: Owner) {
  const sessions = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await owner.overview(after === undefined ? { limit: 7 } : { limit: 7, after });
    sessions.push(...page.sessions);
    after = page.next_after;
  }
  return inboxOf(sessions);
}

async function asked(owner: Owner, limit: number) {
  const sessions = [];
  let answer = await owner.inbox({ limit });
  while (answer.unread > 0) answer = await owner.inbox({ limit });
  const first = answer;
  for (;;) {
    sessions.push(...answer.sessions);
    if (answer.next_after === null) return { first, sessions };
    answer = await owner.inbox({ limit, after: answer.next_after });
  }
}

const SESSION = {
  title: 'One of many',
  objective: 'O',
  requirements: [{ requirement_id: 'R1', text: 'x' }],
  round_limit: 2,
};

const asIs = (storage: Storage): Storage => storage;

const withoutInbox = ({ inbox: _inbox, ...storage }: Storage): Storage => storage;

/** The storage of a process of an earlier version, which stores no places. */
const ofEarlierVersion = (storage: Storage): Storage => ({
  ...withoutInbox(storage),
  create: ({ place: _place, ...session }, events, documents) => storage.create(session, events, documents),
  append: ({ place: _place, ...request }) => storage.append(request),
});

/**
 * Waits until one of the test's random calls (`move`) has ended. Advances the test clock meanwhile, because a write
 * that lost a race against the other process pauses before its retry.
 */
async function ended(clock: TestClock, move: unknown): Promise<void> {
  let isOver = false;
  const over = Promise.resolve(move).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([over, sleep(20)]);
    if (!isOver) clock.advance(PAUSE_MS);
  }
}

describe.each([
  ...STORES.map(({ name, open }) => ({ name, open, adapt: asIs, beside: asIs })),
  ...STORES.filter(({ name }) => name !== 'PGlite').map(({ name, open }) => ({
    name: `${name}, beside a process of an earlier version`,
    open,
    adapt: asIs,
    beside: ofEarlierVersion,
  })),
  { name: 'a storage without an inbox', open: STORES[0]?.open, adapt: withoutInbox, beside: withoutInbox },
])('on $name', ({ name, open, adapt, beside }) => {
  test('the inbox has what a walk through all sessions finds, after any calls', async () => {
    const store = await open?.();
    if (!store) throw new Error('the storage did not open');
    onTestFinished(() => store.remove());
    const clock = createTestClock('2999-01-05T09:00:00.000Z');
    const roll = dice(7 + name.length);
    const storage = await store.connect();
    onTestFinished(() => storage.close());
    const start = async (its: Storage): Promise<Desk> => {
      const parley = await createParley({ storage: its, clock });
      return { parley, owner: parley.owner('owner') };
    };
    let desk = await start(adapt(storage));
    onTestFinished(() => desk.parley.close());
    /** The process that makes the next of the random calls in `moves`. */
    let at = desk;
    const ids: string[] = [];
    const tokens = new Map<string, string>();
    const pick = (): string => ids[roll(ids.length)] ?? '';
    const role = () => (roll(2) === 0 ? 'agent_a' : 'agent_b');
    const join = async (sessionId: string, of: 'agent_a' | 'agent_b'): Promise<void> => {
      const { code } = await at.owner.invite(sessionId, { role: of });
      tokens.set(`${sessionId} ${of}`, (await at.parley.redeem({ code })).token);
    };
    const agentOf = (sessionId: string, of: string) => at.parley.agent(tokens.get(`${sessionId} ${of}`) ?? '');
    const agent = () => agentOf(pick(), role());
    const create = async (): Promise<void> => {
      const { session_id } = await at.owner.createSession(SESSION);
      ids.push(session_id);
      if (roll(6) > 0) for (const of of ['agent_a', 'agent_b'] as const) await join(session_id, of);
      if (roll(4) > 0) await at.owner.start(session_id);
    };
    const turn = async (...questions: { text: string; to: 'owner'; blocking: boolean }[]) => {
      const sessionId = pick();
      const post = (of: string) => agentOf(sessionId, of).call('post_turn', { summary: 'S', questions });
      await post('agent_a').catch(() => post('agent_b'));
    };
    const moves: readonly (() => unknown)[] = [
      create,
      () => join(pick(), role()),
      () => at.owner.start(pick()),
      () => at.owner.pause(pick(), { reason: 'r' }),
      () => at.owner.resume(pick()),
      () => at.owner.revoke(pick(), { role: role() }),
      () => (roll(4) === 0 ? at.owner.end(pick(), { end_reason: 'CANCELLED' }) : undefined),
      () => (roll(6) === 0 ? at.owner.deleteSession(pick()) : undefined),
      () => turn({ text: 'Which?', to: 'owner', blocking: true }),
      () => turn({ text: 'Which?', to: 'owner', blocking: false }),
      () => turn(),
      () => turn(),
      () => agent().call('read_task', {}),
      () => agent().call('read_session_state', {}),
      () => at.owner.answerQuestion(pick(), { question_id: `q_${1 + roll(3)}`, text: 'Yes.' }),
      () => at.owner.extendRounds(pick(), { rounds: 1 }),
      () => clock.advance((1 + roll(4)) * 10 * MINUTE),
      () => clock.advance(roll(3 * 60) * MINUTE),
      async () => {
        await desk.parley.close();
        desk = await start(adapt(storage));
      },
    ];
    for (let count = 0; count < 8; count += 1) await create();
    const seen = { open: 0, parked: 0, absent: 0, refused: 0 };
    const steps = name === 'PGlite' ? 50 : 160;
    for (let step = 0; step < steps; step += 1) {
      // No two tasks in the inbox begin at the same time, so that the order of the sessions is certain.
      clock.advance(1_000);
      if (roll(2) === 0) at = await start(beside(storage));
      try {
        await ended(clock, moves[roll(moves.length)]?.());
      } catch (error) {
        if (!(error instanceof ParleyError)) throw error;
        seen.refused += 1;
      }
      if (at !== desk) await at.parley.close();
      at = desk;
      const size = 1 + roll(6);
      let walk = await everything(desk.owner);
      let answer = await asked(desk.owner, size);
      // Between `everything` and `asked` the service may save the time of an agent's last call, so that the two answers
      // differ. Both are repeated until two successive answers of `everything` are equal.
      for (let again = await everything(desk.owner); !isDeepStrictEqual(again, walk); ) {
        walk = again;
        answer = await asked(desk.owner, size);
        again = await everything(desk.owner);
      }
      const { first, sessions } = answer;
      const found = inboxOf(sessions);
      expect(found.open).toEqual(walk.open);
      expect(sessions.slice(0, walk.open.length)).toEqual(walk.open);
      for (const group of ['absent', 'parked'] as const) expect(idsOf(found[group])).toEqual(idsOf(walk[group]));
      expect(first.tasks).toBe(
        walk.open.flatMap(({ waits }) => waits).filter(({ kind }) => kind !== 'AGENT_ABSENT').length,
      );
      expect(first.counts).toMatchObject({ open: walk.open.length, parked: walk.parked.length });
      expect((await desk.owner.inbox({ limit: 100 })).counts.absent).toBe(walk.absent.length);
      for (const group of ['open', 'parked', 'absent'] as const) seen[group] += walk[group].length;
    }
    for (const group of ['open', 'parked', 'absent'] as const) expect(seen[group]).toBeGreaterThan(steps / 10);
    expect(seen.refused).toBeLessThan(steps / 2);
  });
});

const idsOf = (sessions: readonly { readonly session_id: string }[]): string[] =>
  sessions.map(({ session_id }) => session_id).sort();
