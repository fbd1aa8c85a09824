import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpenedSession } from '../../src/testing/index.ts';
import { EVERYBODY, followed, type Script } from './bot.ts';
import { DISTURBANCES } from './disturbances.ts';
import { makeLive, openLive, seenLive } from './live.ts';
import { BUILDERS } from './seen.ts';
import { type Call, showCall } from './world.ts';

/** They propose, ask each other and the owner, and have then said all. */
const TALKATIVE: Script = {
  turn: (_role, turnIndex) => {
    if (turnIndex === 0) {
      const questions = ['Which port?', { text: 'Which region?', to: 'owner', blocking: true }];
      return { summary: 'First.', proposed_decisions: [{ topic: 'Store', position: 'PostgreSQL' }], questions };
    }
    return { summary: 'Nothing is left to settle.', converged: true };
  },
};

/** Nobody converges before the turns are used. */
const SILENT: Script = { turn: () => ({ summary: 'Still thinking.' }) };

const SESSIONS: readonly {
  readonly what: string;
  readonly script: Script;
  readonly facts: Parameters<typeof openLive>[0];
  /** What cannot happen in it. */
  readonly never: readonly string[];
}[] = [
  { what: 'three rounds', script: TALKATIVE, facts: { round_limit: 3 }, never: [] },
  {
    what: 'one round, agent_b first, nobody converges',
    script: SILENT,
    facts: { round_limit: 1, first_turn: 'agent_b' },
    never: ['a decision is withdrawn late'],
  },
];

/** Calls after which a session with this many disturbances has come to its build. */
const boundFor = (disturbances: number): number => 60 + 30 * disturbances;

async function isBuilding(session: OpenedSession): Promise<boolean> {
  const now = await seenLive(session);
  if (now.session().phase !== 'VERIFY') return false;
  for (const role of BUILDERS) {
    const begin = now.state(role).pending_actions.filter(({ type }) => type === 'BEGIN_BUILD');
    expect(begin).toMatchObject([{ status: 'PENDING', due_to: role }]);
  }
  return true;
}

/** Everybody does as instructed, in turns, and each disturbance comes once, as soon as it can. */
async function walk(
  session: OpenedSession,
  script: Script,
  names: readonly string[],
): Promise<{ made: Call[]; left: Set<string> }> {
  const made: Call[] = [];
  const left = new Set(names);
  const take = async (call: Call): Promise<void> => {
    made.push(call);
    await makeLive(session, call).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${made.map(showCall).join('\n')}`);
    });
  };
  while (made.length < boundFor(names.length) && !(await isBuilding(session))) {
    const before = made.length;
    for (const who of EVERYBODY) {
      for (const name of left) {
        const calls = DISTURBANCES[name]?.(await seenLive(session)) ?? [];
        for (const call of calls) await take(call);
        if (calls.length > 0) left.delete(name);
      }
      const now = await seenLive(session);
      const call = now.session().phase === 'VERIFY' ? null : followed(now, who, script);
      if (call) await take(call);
    }
    if (made.length === before && !(await isBuilding(session))) throw new Error('Everybody waits.');
  }
  return { made, left };
}

describe.each(SESSIONS)('bots that do only as instructed ($what)', ({ script, facts, never }) => {
  test.each(['nothing happens', ...Object.keys(DISTURBANCES)])('come to the build when %s', async (name) => {
    const session = await openLive(facts);
    const { made, left } = await walk(session, script, name === 'nothing happens' ? [] : [name]);
    expect([...left]).toEqual(never.includes(name) ? [name] : []);
    expect(await isBuilding(session), made.map(showCall).join('\n')).toBe(true);
    expect(await session.owner.verifyLog(session.sessionId)).toMatchObject({ ok: true });
  });

  test('come to the build whatever happens together', async () => {
    const some = fc.shuffledSubarray(Object.keys(DISTURBANCES), { minLength: 2, maxLength: 6 });
    const property = fc.asyncProperty(some, async (names) => {
      const session = await openLive(facts);
      const { made } = await walk(session, script, names);
      expect(await isBuilding(session), made.map(showCall).join('\n')).toBe(true);
    });
    await fc.assert(property, { seed: 20_261_121, numRuns: 15 });
  });
});
