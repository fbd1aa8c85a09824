import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpenedSession } from '../../src/testing/index.ts';
import { EVERYBODY, followed, type Script } from './bot.ts';
import { makeLive, openLive, seenLive } from './live.ts';
import { ALL_DISTURBANCES, DISTURBANCES, OF_BUILDERS } from './moves/disturbances.ts';
import { TOGETHER } from './moves/moderator-disturbances.ts';
import { BUILDERS, type Seen } from './seen.ts';
import { type Call, showCall } from './world.ts';

/** Builders that propose decisions, ask each other and the owner, and agree in the end. */
const TALKATIVE: Script = {
  turn: (_role, turnIndex) => {
    if (turnIndex === 0) {
      const questions = ['Which port?', { text: 'Which region?', to: 'owner', blocking: true }];
      return { summary: 'First.', proposed_decisions: [{ topic: 'Store', position: 'PostgreSQL' }], questions };
    }
    return { summary: 'Nothing is left to settle.', converged: true };
  },
};

/** Builders that never agree, so that they use up all turns. */
const SILENT: Script = { turn: () => ({ summary: 'Still thinking.' }) };

const eachOf = (disturbances: object): string[][] => Object.keys(disturbances).map((name) => [name]);

/** Disturbances between approval and build, which in a light session are one call. */
const LATE = Object.keys(ALL_DISTURBANCES).filter((name) =>
  /after the approval|approved contract|both are ready|BLOCKED/.test(name),
);

const SESSIONS: readonly {
  readonly what: string;
  readonly script: Script;
  readonly facts: Parameters<typeof openLive>[0];
  readonly never: readonly string[];
  /** Lists of disturbances. Each list is tested in a session of its own. */
  readonly disturbances: readonly (readonly string[])[];
}[] = [
  {
    what: 'three rounds',
    script: TALKATIVE,
    facts: { round_limit: 3 },
    never: [],
    disturbances: [[], ...eachOf(DISTURBANCES), ...TOGETHER],
  },
  {
    what: 'a light session',
    script: TALKATIVE,
    facts: { round_limit: 3, profile: 'light' },
    never: LATE,
    disturbances: [[], ...eachOf(DISTURBANCES)],
  },
  {
    what: 'one round, agent_b first, nobody converges',
    script: SILENT,
    facts: { round_limit: 1, first_turn: 'agent_b' },
    never: ['a decision is withdrawn late'],
    disturbances: [[], ...eachOf(OF_BUILDERS)],
  },
];

/** Maximum number of calls from the start of a session with this number of disturbances to the authorization of its build. */
const boundFor = (disturbances: number): number => 100 + 50 * disturbances;

function isBuilding(now: Seen): boolean {
  if (now.session().phase !== 'VERIFY') return false;
  for (const role of BUILDERS) {
    const begin = now.state(role).pending_actions.filter(({ type }) => type === 'BEGIN_BUILD');
    expect(begin).toMatchObject([{ status: 'PENDING', due_to: role }]);
  }
  return true;
}

/**
 * Makes the call that each role's instruction names, role after role, until the build is authorized. Makes each
 * disturbance once, as soon as it is possible.
 */
async function walk(
  session: OpenedSession,
  script: Script,
  names: readonly string[],
): Promise<{ made: Call[]; left: Set<string>; isBuilt: boolean }> {
  const made: Call[] = [];
  const left = new Set(names);
  let known: Seen | undefined;
  const look = async (): Promise<Seen> => {
    known ??= await seenLive(session);
    return known;
  };
  const take = async (call: Call): Promise<void> => {
    made.push(call);
    known = undefined;
    await makeLive(session, call).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${made.map(showCall).join('\n')}`);
    });
  };
  while (made.length < boundFor(names.length) && !isBuilding(await look())) {
    const before = made.length;
    for (const who of EVERYBODY) {
      for (const name of left) {
        const calls = ALL_DISTURBANCES[name]?.(await look()) ?? [];
        for (const call of calls) await take(call);
        if (calls.length > 0) left.delete(name);
      }
      const now = await look();
      const call = now.session().phase === 'VERIFY' ? null : followed(now, who, script);
      if (call) await take(call);
    }
    if (made.length === before && !isBuilding(await look())) throw new Error('Everybody waits.');
  }
  return { made, left, isBuilt: isBuilding(await look()) };
}

const casesOf = (stories: readonly (readonly string[])[]) =>
  stories.map((names) => ({ what: names.join(', then ') || 'nothing happens', names }));

describe.each(SESSIONS)('bots that do only as instructed ($what)', ({ script, facts, never, disturbances }) => {
  test.each(casesOf(disturbances))('come to the build when $what', async ({ names }) => {
    const session = await openLive(facts);
    const { made, left, isBuilt } = await walk(session, script, names);
    expect([...left]).toEqual(names.filter((name) => never.includes(name)));
    expect(isBuilt, made.map(showCall).join('\n')).toBe(true);
    expect(await session.owner.verifyLog(session.sessionId)).toMatchObject({ ok: true });
  });

  test('reach the build in every order of calls', async () => {
    const some = fc.shuffledSubarray(Object.keys(ALL_DISTURBANCES), { minLength: 2, maxLength: 6 });
    const property = fc.asyncProperty(some, async (names) => {
      const session = await openLive(facts);
      const { made, isBuilt } = await walk(session, script, names);
      expect(isBuilt, made.map(showCall).join('\n')).toBe(true);
    });
    await fc.assert(property, { seed: 20_261_121, numRuns: 12 });
  });
});
