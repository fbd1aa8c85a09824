import type { Builder } from '@parley/missions';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, speakerAt } from './support/ask.ts';
import { drawsFrom } from './support/draws.ts';
import type { HostProcess } from './support/host-process.ts';
import { inLanes, rounds } from './support/rounds.ts';
import { databaseServer, openScene, type Scene, type Seat, type Seats } from './support/scene.ts';
import { readPage, readTranscript } from './support/transcript.ts';

const SESSIONS = rounds(5, 20);
const TURNS = rounds(20, 167);
const FOLLOWED_SESSIONS = rounds(2, 4);
const PAGES = rounds(40, 625);
const BUILDERS: readonly Builder[] = ['agent_a', 'agent_b'];

describe.skipIf(databaseServer === null)('processes on one database', () => {
  let scene: Scene;
  let hosts: [HostProcess, HostProcess, HostProcess];
  beforeAll(async () => {
    scene = await openScene();
    hosts = await Promise.all([scene.start(), scene.start(), scene.start()]);
    return scene.close;
  });

  test('all show a write from the moment it was acknowledged', async () => {
    let checks = 0;
    await inLanes(SESSIONS, async (lane) => {
      const draws = drawsFrom(lane);
      const seats = await scene.seat();
      for (let index = 0; index < TURNS; index += 1) {
        const seat = seats[speakerAt(index)];
        const summary = `Turn ${index}.`;
        const written = await ask({ host: draws.oneOf(hosts), seat, route: 'POST turns', body: { summary } });
        expect(written.status).toBe(200);
        await Promise.all(hosts.map((host, n) => expectShown(host, seats[speakerAt(draws.whole(0, 1))], n)));
        checks += hosts.length;

        /**
         * Expects the host to show the write. After each turn, two hosts are asked for the state, the third for the
         * messages.
         */
        async function expectShown(host: HostProcess, reader: Seat, n: number): Promise<void> {
          if ((index + n) % 3 > 0) {
            const { body } = await ask({ host, seat: reader, route: 'GET state' });
            expect(body).toMatchObject({ turn_index: index + 1, your_turn: reader.role === speakerAt(index + 1) });
          } else {
            const { messages } = await readPage(host, reader, Number(written.body.message_id) - 1);
            expect(messages[0]?.body).toMatchObject({ turn_index: index, summary });
          }
        }
      }
    });
    console.log(`${checks} reads saw the write acknowledged before them`);
  });

  test('give cursors that never skip or repeat while others write', async () => {
    const tally = { pages: 0, written: 0, lost: 0 };
    await inLanes(FOLLOWED_SESSIONS, async () => {
      const seats = await scene.seat();
      for (const index of [0, 1]) await ask({ host: hosts[0], seat: seats[speakerAt(index)], ...turn(index) });
      const reading = { isOver: false };
      const writers = BUILDERS.map((role, n) => writeOn(hosts[n] ?? hosts[0], seats[role], reading, tally));
      const readers = BUILDERS.flatMap((role) => hosts.map((host) => follow(host, seats[role])));
      const followed = await Promise.all(readers);
      reading.isOver = true;
      await Promise.all(writers);
      await expectPrefixes(followed, seats);
      tally.pages += followed.length * PAGES;
    });
    console.log(
      `at least ${tally.pages} pages read beside ${tally.written} writes, ${tally.lost} of them refused as CONFLICT`,
    );
  });

  async function follow(host: HostProcess, seat: Seat): Promise<unknown[]> {
    const ids: unknown[] = [];
    let cursor = 0;
    for (let page = 0; page < PAGES || ids.length < PAGES / 4; page += 1) {
      const { messages, next } = await readPage(host, seat, cursor);
      ids.push(...messages.map(({ id }) => id));
      cursor = next;
    }
    return ids;
  }

  async function expectPrefixes(followed: readonly unknown[][], seats: Seats): Promise<void> {
    const all = (await readTranscript(hosts[2], seats.agent_a)).map(({ id }) => id);
    expect(new Set(all).size).toBe(all.length);
    for (const ids of followed) expect(ids).toEqual(all.slice(0, ids.length));
  }
});

const turn = (index: number) => ({ route: 'POST turns', body: { summary: `Turn ${index}.` } });

/** Posts evidence until the readers have finished. Ignores writes that are refused because they lost too many races. */
async function writeOn(
  host: HostProcess,
  seat: Seat,
  reading: { readonly isOver: boolean },
  tally: { written: number; lost: number },
): Promise<void> {
  while (!reading.isOver) {
    const body = { evidence: [{ kind: 'log', reference: `run ${tally.written}` }] };
    const { status, text } = await ask({ host, seat, route: 'POST evidence', body });
    tally.written += 1;
    if (status === 409 && text.includes('CONFLICT')) tally.lost += 1;
    else expect(`${status} ${text}`).toMatch(/^200 /);
  }
}
