import type { Json } from '@parley/missions';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask } from './support/ask.ts';
import { drawsFrom } from './support/draws.ts';
import type { HostProcess } from './support/host-process.ts';
import {
  type FeedPage,
  feedPage,
  labelOf,
  type ModeratorSeat,
  seatModerator,
  storedFeed,
} from './support/moderator.ts';
import { type ReaderProcess, startReader } from './support/reader-process.ts';
import { rounds } from './support/rounds.ts';
import { databaseServer, openScene, type Scene, type Seat } from './support/scene.ts';

const KILLS = rounds(4, 40);
const EVENTS_A_ROUND = 7;

/** A reader is killed after it read a page, while it acknowledges the page, or after the acknowledgement. */
const MOMENTS = ['read', 'acknowledging', 'acknowledged'] as const;
type Moment = (typeof MOMENTS)[number];

describe.skipIf(databaseServer === null)('a moderator whose process is killed', () => {
  let scene: Scene;
  let hosts: readonly [HostProcess, HostProcess];
  beforeAll(async () => {
    scene = await openScene();
    hosts = await Promise.all([scene.start(), scene.start()]);
    return scene.close;
  });

  async function writeSome(seat: Seat, round: number): Promise<void> {
    for (let n = 0; n < EVENTS_A_ROUND; n += 1) {
      const body = { evidence: [{ kind: 'log', reference: `${round} ${n}` }] };
      expect((await ask({ host: hosts[n % 2] ?? hosts[0], seat, route: 'POST evidence', body })).status).toBe(200);
    }
  }

  const startAt = (round: number, { token }: ModeratorSeat): Promise<ReaderProcess> =>
    startReader({ mcpUrl: (hosts[round % 2] ?? hosts[0]).mcpUrl, token });

  test(`is given again what it read and did not acknowledge, after ${KILLS} kills`, async () => {
    const seats = await scene.seat();
    const { sessionId } = seats.agent_a;
    const moderator = await seatModerator(scene, hosts[0], sessionId);
    await ask({ host: hosts[0], seat: seats.agent_a, route: 'POST turns', body: { summary: 'The first.' } });
    const draws = drawsFrom(3);
    const taken: Taken[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const moment = MOMENTS[round] ?? draws.oneOf([...MOMENTS]);
      await writeSome(seats.agent_a, round);
      const reader = await startAt(round, moderator);
      const limit = draws.whole(1, 100);
      const page = feedPage(
        round % 2 === 0
          ? await reader.call('wait_for_activity', { wait_seconds: 25 })
          : await reader.call('get_session_events', { limit, wait: 25 }),
      );
      if (moment === 'acknowledging') await reader.callAndForget('ack_events', { cursor: page.next });
      if (moment === 'acknowledged') await reader.call('ack_events', { cursor: page.next });
      await reader.kill();
      taken.push({ moment, page });
    }
    const last = feedPage(await readByRest(moderator));
    expectNoneLost([...taken, { moment: 'read', page: last }], await storedFeed(scene, sessionId));
    const counts = MOMENTS.map((moment) => `${taken.filter((one) => one.moment === moment).length} ${moment}`);
    console.log(`readers killed: ${counts.join(', ')}; ${taken.filter(isAgain).length} began again`);
  });

  const readByRest = async (seat: ModeratorSeat): Promise<Json> =>
    (await ask({ host: hosts[0], seat, route: 'GET events?limit=100' })).body;
});

/** The last page that a killed reader has read, and the moment at which the reader was killed. */
interface Taken {
  readonly moment: Moment;
  readonly page: FeedPage;
}

/** Whether this reader began at the same cursor as the reader before it. */
const isAgain = ({ page }: Taken, n: number, taken: readonly Taken[]): boolean =>
  page.acked === taken[n - 1]?.page.acked;

/**
 * Expects that each page begins with the first unacknowledged event. If its reader was killed before acknowledging the
 * page, the next page must begin with the same event. If killed after the acknowledgement, the next page must begin
 * after this page. If killed during the acknowledgement, the next page may begin at either place.
 */
function expectNoneLost(taken: readonly Taken[], stored: readonly string[]): void {
  for (const [n, { page, moment }] of taken.entries()) {
    const labels = page.events.map(labelOf);
    const due = stored.filter((label) => Number(label.split(' ')[0]) > page.acked);
    expect(labels.length).toBeGreaterThan(0);
    expect(labels).toEqual(due.slice(0, labels.length));
    const after = taken[n + 1]?.page;
    if (!after) continue;
    const possible = { read: [page.acked], acknowledging: [page.acked, page.next], acknowledged: [page.next] }[moment];
    expect(possible).toContain(after.acked);
    const shared = Math.min(page.events.length, after.events.length);
    if (after.acked === page.acked) expect(after.events.slice(0, shared)).toEqual(page.events.slice(0, shared));
  }
}
