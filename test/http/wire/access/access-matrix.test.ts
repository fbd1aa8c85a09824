import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Heard } from '../../../support/exchange.ts';
import { type Joined, MARK } from '../../../support/join-session.ts';
import { openService, type Service } from '../../../support/service.ts';
import { assembleCast, type Cast, heldBy, narrow, narrowModerator } from '../support/cast.ts';
import { REFUSED_REQUESTS, type RefusedRequest } from '../support/refused-requests.ts';
import { stockSession } from '../support/sample-sessions.ts';
import { FIVE_PERMISSIONS } from '../support/specification.ts';
import {
  BESIDE,
  type Bearing,
  type Door,
  isAt,
  OPERATIONS,
  requestFor,
  type Target,
  verdictOf,
} from '../support/targets.ts';

/** Maps the name of a target to the expected answer. A failed test prints the name. */
type Column = Readonly<Record<string, string>>;

const TARGETS = [...OPERATIONS, ...BESIDE];
const DOORS: readonly Door[] = ['REST', 'MCP header', 'MCP path'];

let service: Service;
let cast: Cast;
let secrets: readonly string[];

beforeAll(async () => {
  service = await openService({ limits: { perToken: 1_000_000, perAddress: 1_000_000 } });
  cast = await assembleCast(service);
  const own = joinedOf(cast).flatMap(({ sessionId, tokens }) => [
    sessionId,
    ...Object.values(tokens).map((token) => token.slice(4, 40)),
  ]);
  secrets = [MARK, ...own];
});

afterAll(() => service.close());

const send = (door: Door, target: Target, bearing: Bearing): Promise<Heard> =>
  service.send(requestFor(door, target, bearing));

const inSession = (token: string, sessionId: string): Bearing => ({
  ...{ sessionId, authorization: [`Bearer ${token}`], segment: token },
});

/** The heads of all logs that a request could have changed. */
async function readHeads({ sessionId }: Bearing): Promise<string> {
  const sessionIds = [sessionId, cast.current.sessionId, cast.other.sessionId];
  const heads = sessionIds.map(async (id) => (await service.storage.fetch(id, 1_000))?.head ?? null);
  return JSON.stringify(await Promise.all(heads));
}

const joinedOf = ({ without, ...others }: Cast): readonly Joined[] => [...Object.values(others), ...without.values()];

function isLeaking({ text, headers }: Heard): boolean {
  const said = text + JSON.stringify(headers);
  return secrets.some((secret) => said.includes(secret));
}

async function cellOf(door: Door, target: Target, bearing: Bearing): Promise<string> {
  const before = await readHeads(bearing);
  const heard = await send(door, target, bearing);
  const isStored = (await readHeads(bearing)) !== before;
  return `${verdictOf(heard)}${isStored ? ', stored' : ''}${isLeaking(heard) ? ', leaked' : ''}`;
}

const concerned = ({ concerns }: RefusedRequest, door: Door): readonly Target[] =>
  TARGETS.filter((target) => isAt(door, target) && (concerns?.(target, door) ?? true));

async function columnOf(refused: RefusedRequest, door: Door): Promise<readonly [observed: Column, expected: Column]> {
  const targets = concerned(refused, door);
  const observed: [string, string][] = [];
  for (const target of targets) observed.push([target.name, await cellOf(door, target, refused.bear(cast, target))]);
  const expected = targets.map((target) => [target.name, refused.expected(target, door)] as const);
  return [Object.fromEntries(observed), Object.fromEntries(expected)];
}

describe('the access matrix', () => {
  const columns = REFUSED_REQUESTS.flatMap((refused) =>
    refused.doors.map((door) => [refused.name, door, refused] as const),
  );

  test('covers every operation of the registry', () => {
    const cells = columns.map(([, door, refused]) => concerned(refused, door).length);
    expect(Math.min(...cells)).toBe(5);
    expect(cells.reduce((sum, count) => sum + count, 0)).toBe(9_868);
  });

  test.each(columns)('refuses %s over %s', async (_name, door, refused) => {
    const [observed, expected] = await columnOf(refused, door);
    expect(observed).toEqual(expected);
    expect(service.failures).toEqual([]);
  });
});

describe('the same requests', () => {
  test.each(DOORS)('are served over %s with the token as it is due', async (door) => {
    const targets = OPERATIONS.filter((target) => isAt(door, target));
    const served: [string, string][] = [];
    for (const target of targets) {
      const stocked = await stockSession(service, target.tool, target.kind);
      const bearing = inSession(heldBy(target.kind, stocked), stocked.sessionId);
      served.push([target.name, verdictOf(await send(door, target, bearing))]);
    }
    expect(Object.fromEntries(served)).toEqual(Object.fromEntries(targets.map(({ name }) => [name, '200'])));
  });

  test('are served with a token of the one scope that the tool names', async () => {
    const targets = OPERATIONS.filter(({ kind }) => kind === 'builder');
    const served: [string, string][] = [];
    for (const target of targets) {
      const { sessionId, tokens } = await narrow(service, (scope) => scope === target.grant, target.tool);
      const door = isAt('MCP header', target) ? 'MCP header' : 'REST';
      served.push([target.name, verdictOf(await send(door, target, inSession(tokens.agent_a, sessionId)))]);
    }
    expect(Object.fromEntries(served)).toEqual(Object.fromEntries(targets.map(({ name }) => [name, '200'])));
  });

  test('are served with a token of the one permission that the tool names', async () => {
    const targets = OPERATIONS.filter(({ kind }) => kind === 'moderator');
    const served: [string, string][] = [];
    for (const target of targets) {
      const permissions = FIVE_PERMISSIONS.filter((permission) => permission === target.grant);
      const { sessionId, tokens } = await narrowModerator(service, permissions, target.tool);
      served.push([target.name, verdictOf(await send('MCP header', target, inSession(tokens.moderator, sessionId)))]);
    }
    expect(Object.fromEntries(served)).toEqual(Object.fromEntries(targets.map(({ name }) => [name, '200'])));
  });

  test('are served in the path form with any header', async () => {
    const { sessionId, tokens } = cast.current;
    const [target] = OPERATIONS;
    for (const authorization of [[], ['Basic x'], [`Bearer ${cast.revoked.tokens.agent_a}`], ['a', 'b']]) {
      const bearing = { sessionId, authorization, segment: tokens.agent_a };
      expect(target && verdictOf(await send('MCP path', target, bearing))).toBe('200');
    }
  });
});
