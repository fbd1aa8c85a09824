import { createMemoryStorage, createParley } from '@parley/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Inside, type Joined, joinAs } from '../../support/join-session.ts';
import { openService, type Service } from '../../support/service.ts';
import { heldBy } from './support/cast.ts';
import { replaceTokens, stockSession } from './support/sample-sessions.ts';
import { CHALLENGE } from './support/specification.ts';
import { BESIDE, type Door, isAt, OPERATIONS, requestFor, type Target, verdictOf } from './support/targets.ts';

type End = (elsewhere: Inside, joined: Joined) => Promise<unknown>;

/**
 * Calls at another process that end a session's tokens, and the code with which this process must then refuse the
 * tokens.
 */
const ENDS: Readonly<Record<string, readonly [code: string, end: End]>> = {
  revoked: [
    'TOKEN_REVOKED',
    async ({ owner }, { sessionId }) => {
      for (const role of ['agent_a', 'moderator'] as const) await owner.revoke(sessionId, { role });
    },
  ],
  replaced: ['TOKEN_REVOKED', replaceTokens],
  'deleted with its session': ['UNAUTHORIZED', ({ owner }, { sessionId }) => owner.deleteSession(sessionId)],
};

const DOORS: readonly Door[] = ['REST', 'MCP header', 'MCP path'];

let service: Service;
let elsewhere: Inside;
let stopTime: () => void;

/** Advances the clock again and again, because a write that lost a race pauses before its retry. */
function startTime({ clock }: Service): () => void {
  const ticking = setInterval(() => clock.advance(50), 1);
  return () => clearInterval(ticking);
}

beforeAll(async () => {
  const storage = createMemoryStorage();
  service = await openService({ storage, limits: { perToken: 1_000_000 } });
  const parley = await createParley({ storage: storage.sibling(), clock: service.clock });
  stopTime = startTime(service);
  elsewhere = { parley, owner: parley.owner('team') };
});
afterAll(async () => {
  stopTime();
  await elsewhere.parley.close();
  await service.close();
});

const headOf = async (sessionId: string) => (await service.storage.fetch(sessionId, 1_000))?.head ?? null;

/** The answer to a token that has ended. This process has cached the token as valid and got no hint. */
async function cellOf(door: Door, target: Target, end: End): Promise<string> {
  const joined = await stockSession(elsewhere, target.tool, target.kind);
  const token = heldBy(target.kind, joined);
  await service.parley.agent(token).call('read_task');
  await end(elsewhere, joined);
  const before = await headOf(joined.sessionId);
  const bearing = { sessionId: joined.sessionId, authorization: [`Bearer ${token}`], segment: token };
  const verdict = verdictOf(await service.send(requestFor(door, target, bearing)));
  return (await headOf(joined.sessionId))?.seq === before?.seq ? verdict : `${verdict}, stored`;
}

describe('a token that another process has just', () => {
  const columns = Object.entries(ENDS).flatMap(([what, [code, end]]) =>
    DOORS.map((door) => [what, door, { code, end }] as const),
  );

  test.each(columns)('%s is refused over %s for every operation', async (_what, door, { code, end }) => {
    const expected = door === 'REST' ? `401 ${code} ${CHALLENGE}` : `401 -32001 ${code} ${CHALLENGE}`;
    const targets = [...OPERATIONS, ...BESIDE].filter((target) => isAt(door, target));
    const observed: [string, string][] = [];
    for (const target of targets) observed.push([target.name, await cellOf(door, target, end)]);
    expect(Object.fromEntries(observed)).toEqual(Object.fromEntries(targets.map(({ name }) => [name, expected])));
    expect(service.failures).toEqual([]);
  });
});

test.each(DOORS)('a token that another process has just given out is served over %s', async (door) => {
  const targets = OPERATIONS.filter((target) => isAt(door, target));
  const observed: [string, string][] = [];
  for (const target of targets) {
    const { sessionId, tokens } = await stockSession(service, target.tool, target.kind);
    const role = target.kind === 'moderator' ? 'moderator' : 'agent_a';
    await service.parley.agent(tokens[role]).call('read_task');
    const token = await joinAs(elsewhere, sessionId, role);
    const bearing = { sessionId, authorization: [`Bearer ${token}`], segment: token };
    observed.push([target.name, verdictOf(await service.send(requestFor(door, target, bearing)))]);
  }
  expect(Object.fromEntries(observed)).toEqual(Object.fromEntries(targets.map(({ name }) => [name, '200'])));
});
