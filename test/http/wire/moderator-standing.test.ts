import { createMemoryStorage, createParley, type Owner } from '@parley/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Inside, Joined } from '../../support/join-session.ts';
import { openService, type Service } from '../../support/service.ts';
import { stockSession } from './support/sample-sessions.ts';
import { FIVE_PERMISSIONS } from './support/specification.ts';
import { type Door, isAt, OPERATIONS, requestFor, type Target, verdictOf } from './support/targets.ts';

type Change = (owner: Owner, sessionId: string) => Promise<unknown>;

/**
 * Changes that the owner makes at another process: the code that REST then answers, the change, and the call that
 * undoes the change.
 */
const CHANGES: Readonly<Record<string, readonly [code: string, change: Change, undo: Change]>> = {
  stopped: [
    'MODERATOR_STOPPED',
    (owner, sessionId) => owner.stopModerator(sessionId, { reason: 'A break.' }),
    (owner, sessionId) => owner.restoreModerator(sessionId),
  ],
  'without entitlement': [
    'MODERATOR_NOT_ENTITLED',
    (owner) => owner.setModeratorEntitlement({ entitled: false }),
    (owner) => owner.setModeratorEntitlement({ entitled: true }),
  ],
};

const DOORS: readonly Door[] = ['REST', 'MCP header', 'MCP path'];
const TARGETS = OPERATIONS.filter(({ kind }) => kind === 'moderator');
const READ_TASK: Target = TARGETS.find(({ tool }) => tool === 'read_task') ?? expect.unreachable();
const at = (door: Door) => TARGETS.filter((target) => isAt(door, target));

let service: Service;
let elsewhere: Inside;
let stopTime: () => void;
let owners = 0;

beforeAll(async () => {
  const storage = createMemoryStorage();
  service = await openService({ storage, limits: { perToken: 1_000_000 } });
  const parley = await createParley({ storage: storage.sibling(), clock: service.clock });
  // Advances the clock again and again, because a write that lost a race pauses before its retry.
  const ticking = setInterval(() => service.clock.advance(50), 1);
  stopTime = () => clearInterval(ticking);
  elsewhere = { parley, owner: parley.owner('team') };
});
afterAll(async () => {
  stopTime();
  await elsewhere.parley.close();
  await service.close();
});

/** A session with an owner of its own. This process has cached the session's tokens as valid. */
async function join(target: Target): Promise<Joined & { owner: Owner }> {
  owners += 1;
  const owner = elsewhere.parley.owner(`owner ${owners}`);
  const joined = await stockSession({ ...elsewhere, owner }, target.tool, 'moderator');
  for (const token of [joined.tokens.moderator, joined.tokens.agent_a])
    await service.parley.agent(token).call('read_task');
  return { ...joined, owner };
}

async function verdict(
  door: Door,
  target: Target,
  { sessionId, tokens }: Joined,
  token = tokens.moderator,
): Promise<string> {
  const bearing = { sessionId, authorization: [`Bearer ${token}`], segment: token };
  return verdictOf(await service.send(requestFor(door, target, bearing)));
}

describe('the next request of a moderator whom another process has just', () => {
  const columns = Object.entries(CHANGES).flatMap(([what, change]) =>
    DOORS.map((door) => [what, door, change] as const),
  );

  test.each(columns)(
    '%s is refused over %s, and served after that was undone',
    async (_what, door, [code, change, undo]) => {
      const refusal = door === 'REST' ? `403 ${code}` : `403 -32001 ${code}`;
      const observed: Record<string, readonly string[]> = {};
      for (const target of at(door)) {
        const joined = await join(target);
        await change(joined.owner, joined.sessionId);
        const refused = await verdict(door, target, joined);
        const builder = await verdict('REST', READ_TASK, joined, joined.tokens.agent_a);
        await undo(joined.owner, joined.sessionId);
        observed[target.tool ?? ''] = [refused, builder, await verdict(door, target, joined)];
      }
      const expected = at(door).map(({ tool }) => [tool, [refusal, '200', '200']]);
      expect(observed).toEqual(Object.fromEntries(expected));
      expect(service.failures).toEqual([]);
    },
  );

  test.each(DOORS)('granted other permissions is served over %s by what they are now', async (door) => {
    const observed: Record<string, readonly string[]> = {};
    const expected: Record<string, readonly string[]> = {};
    for (const target of at(door)) {
      const joined = await join(target);
      const all = [...FIVE_PERMISSIONS];
      const others = all.filter((permission) => permission !== target.grant);
      await joined.owner.grantModerator(joined.sessionId, { permissions: target.grant === null ? [] : others });
      const narrowed = await verdict(door, target, joined);
      await joined.owner.grantModerator(joined.sessionId, { permissions: all });
      observed[target.name] = [narrowed, target.grant === null ? '200' : await verdict(door, target, joined)];
      const denied = `${door === 'REST' ? '403' : '200 isError'} PERMISSION_DENIED ${target.grant}`;
      expected[target.name] = [target.grant === null ? '200' : denied, '200'];
    }
    expect(observed).toEqual(expected);
  });
});
