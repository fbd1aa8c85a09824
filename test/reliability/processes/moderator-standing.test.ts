import { beforeAll, describe, expect, test } from 'vitest';
import { ask, type Reply, send } from './support/ask.ts';
import { untilHeld } from './support/holding.ts';
import type { HostProcess } from './support/host-process.ts';
import { type ModeratorSeat, readFeed, seatModerator } from './support/moderator.ts';
import { rounds, spread } from './support/rounds.ts';
import { databaseServer, type NewSeats, openScene, type Scene } from './support/scene.ts';

const ROUNDS = rounds(3, 50);
/**
 * Without hints, a waiting call fetches only every ten seconds. If a wait ends within half of this time, a hint has
 * ended it.
 */
const AT_ONCE_MS = 5_000;

type Change = (scene: Scene, sessionId: string) => Promise<unknown>;

const CHANGES: readonly (readonly [what: string, code: string, change: Change, undo: Change])[] = [
  [
    'stopped',
    'MODERATOR_STOPPED',
    ({ owner }, sessionId) => owner.stopModerator(sessionId),
    ({ owner }, sessionId) => owner.restoreModerator(sessionId),
  ],
  [
    'without entitlement',
    'MODERATOR_NOT_ENTITLED',
    ({ owner }) => owner.setModeratorEntitlement({ entitled: false }),
    ({ owner }) => owner.setModeratorEntitlement({ entitled: true }),
  ],
];

describe.skipIf(databaseServer === null)('a moderator at two processes who is, at a third,', () => {
  let scene: Scene;
  let hosts: readonly HostProcess[];
  let seats: NewSeats;
  let moderator: ModeratorSeat;

  beforeAll(async () => {
    scene = await openScene();
    const [first, second] = await Promise.all([scene.start(), scene.start()]);
    hosts = [first, second];
    seats = await scene.seat();
    moderator = await seatModerator(scene, first, seats.agent_a.sessionId);
    return scene.close;
  });

  const overMcp = (host: HostProcess, name: string, input: object): Promise<Reply> =>
    send(host.mcpUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${moderator.token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
    });

  const say = ({ status, body }: Reply): string => {
    const error = body.error as { data?: { error?: string } } | string | undefined;
    return `${status} ${(typeof error === 'object' ? error.data?.error : error) ?? 'OK'}`;
  };

  function holdAll(): Promise<Reply>[] {
    return hosts.flatMap((host) => [
      ask({ host, seat: moderator, route: 'GET events?wait=25' }),
      ask({ host, seat: moderator, route: 'GET state?wait=25' }),
      overMcp(host, 'wait_for_activity', { wait_seconds: 25 }),
    ]);
  }

  const askAll = (): Promise<Reply[]> =>
    Promise.all(
      hosts.flatMap((host) => [
        ask({ host, seat: moderator, route: 'GET moderator/status' }),
        overMcp(host, 'get_session_events', { after: 0 }),
        ask({ host, seat: seats.agent_b, route: 'GET state' }),
      ]),
    );

  test.each(CHANGES)('%s is told so at once, waiting or not, and nobody else is', async (_what, code, change, undo) => {
    const took: number[] = [];
    const { sessionId } = moderator;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [host = expect.unreachable()] = hosts;
      const { head } = await readFeed(host, moderator, 'limit=1');
      await ask({ host, seat: moderator, route: 'POST events/ack', body: { cursor: head } });
      const polls = holdAll();
      const leaving = new AbortController();
      const others = hosts.map((at) =>
        ask({ host: at, seat: seats.agent_b, route: 'GET state?wait=25', signal: leaving.signal }).catch(() => 'left'),
      );
      await Promise.all(hosts.map((at) => untilHeld(at, 4)));
      await change(scene, sessionId);
      const changedAt = performance.now();
      expect((await askAll()).map(say)).toEqual([
        `403 ${code}`,
        `403 ${code}`,
        '200 OK',
        `403 ${code}`,
        `403 ${code}`,
        '200 OK',
      ]);
      const ended = await Promise.all(polls);
      expect(ended.map(say)).toEqual(polls.map(() => `403 ${code}`));
      took.push(...ended.map(({ at }) => at - changedAt));
      expect(await Promise.all(hosts.map((at) => at.heldPolls()))).toEqual([1, 1]);
      await undo(scene, sessionId);
      expect((await askAll()).map(say)).toEqual(Array.from({ length: 6 }, () => '200 OK'));
      leaving.abort();
      expect(await Promise.all(others)).toEqual(['left', 'left']);
    }
    expect(Math.max(...took)).toBeLessThan(AT_ONCE_MS);
    console.log(`${took.length} of ${took.length} polls told: ${spread(took)}`);
  });

  test('granted other permissions has them from the next request on', async () => {
    const { sessionId } = moderator;
    const question = { text: 'Is the level read from a replica?' };
    for (let round = 0; round < ROUNDS; round += 1) {
      await scene.owner.grantModerator(sessionId, { permissions: ['find'] });
      const refused = await Promise.all(
        hosts.map((host) => ask({ host, seat: moderator, route: 'POST moderator/questions', body: question })),
      );
      expect(refused.map(({ status, body }) => [status, body.error, body.required_permission])).toEqual(
        hosts.map(() => [403, 'PERMISSION_DENIED', 'ask']),
      );
      await scene.owner.grantModerator(sessionId, { permissions: ['ask'] });
      const served = await Promise.all(
        hosts.map((host) => ask({ host, seat: moderator, route: 'POST moderator/questions', body: question })),
      );
      expect(served.map(({ status }) => status)).toEqual([200, 200]);
    }
  });
});
