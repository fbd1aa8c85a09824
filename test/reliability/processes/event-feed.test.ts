import type { Json } from '@parley/missions';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, type Reply, send } from './support/ask.ts';
import { type Draws, drawsFrom } from './support/draws.ts';
import type { HostProcess } from './support/host-process.ts';
import {
  type FeedPage,
  feedPage,
  labelOf,
  type ModeratorSeat,
  readFeed,
  seatModerator,
  storedFeed,
} from './support/moderator.ts';
import { rounds } from './support/rounds.ts';
import { databaseServer, openScene, type Scene, type Seat } from './support/scene.ts';

const EVENTS = rounds(240, 10_000);
const ACKS = rounds(60, 1_000);
/** Number of agents that write at each of two processes. */
const WRITERS = 4;

type Hosts = readonly [HostProcess, HostProcess];

interface Tally {
  lost: number;
  written: number;
}

/** Readers stop after the event `lastEvent`. */
interface Run {
  lastEvent: number;
}

describe.skipIf(databaseServer === null)('the event feed at two processes', () => {
  let scene: Scene;
  let hosts: Hosts;
  beforeAll(async () => {
    scene = await openScene();
    hosts = await Promise.all([scene.start(), scene.start()]);
    return scene.close;
  });

  async function seatAll() {
    const seats = await scene.seat();
    const { sessionId } = seats.agent_a;
    const moderator = await seatModerator(scene, hosts[0], sessionId);
    await ask({ host: hosts[0], seat: seats.agent_a, route: 'POST turns', body: { summary: 'The first.' } });
    await ask({ host: hosts[0], seat: seats.agent_b, route: 'POST turns', body: { summary: 'The second.' } });
    return { seats: [seats.agent_a, seats.agent_b] as const, sessionId, moderator };
  }

  /**
   * All writers write at the same time. After that the owner writes the last event, which ends all waits of readers.
   */
  async function writeAll(seats: readonly Seat[], sessionId: string): Promise<Tally & { last: number }> {
    const tally = { lost: 0, written: 0 };
    const lanes = hosts.flatMap((host) => seats.map((seat) => ({ host, seat })));
    await Promise.all(
      lanes.map(({ host, seat }, lane) => writeOn({ host, seat, lane, count: EVENTS / WRITERS }, tally)),
    );
    await scene.owner.pause(sessionId, { reason: 'That was all.' });
    const { seq } = (await scene.storage.fetch(sessionId, 1_000_000))?.head ?? expect.unreachable();
    return { ...tally, last: seq };
  }

  test(`gives ${EVENTS} events of concurrent writers once, in order, to whoever reads on, and to whoever acknowledges`, async () => {
    const start = performance.now();
    const { seats, sessionId, moderator } = await seatAll();
    const run: Run = { lastEvent: Number.POSITIVE_INFINITY };
    const readers = [1, 2, 3].map((seed) => readOn({ hosts, moderator, run, draws: drawsFrom(seed) }));
    const taken = takeIn({ hosts, moderator, run, draws: drawsFrom(4) });
    const { last, lost, written } = await writeAll(seats, sessionId);
    run.lastEvent = last;
    const wroteMs = performance.now() - start;
    // A reader may send its acknowledgement after the last event and then wait for an event that nobody causes. This call
    // adds an event, which ends the wait.
    await scene.owner.resume(sessionId);
    const read = await Promise.all([...readers, taken]);
    const stored = await storedFeed(scene, sessionId);
    expect(stored.length).toBeGreaterThanOrEqual(EVENTS);
    for (const { labels } of read) expect(labels).toEqual(stored.slice(0, labels.length));
    for (const { labels } of read)
      expect(Number(labels.at(-1)?.split(' ')[0])).toBeGreaterThanOrEqual(lastVisible(stored, last));
    const pages = read.map((reader) => reader.pages);
    console.log(
      `${stored.length} events, ${written} writes and ${lost} lost races in ${Math.round(wroteMs)} ms; ` +
        `read in ${pages.join(', ')} pages in ${Math.round(performance.now() - start)} ms`,
    );
  });

  test(`never moves backward nor past its head by ${ACKS} acknowledgements at once`, async () => {
    const { seats, sessionId, moderator } = await seatAll();
    const draws = drawsFrom(7);
    const watching = { isOver: false };
    const watched = hosts.map((_, n) => watchAcked(hosts, moderator, watching, n));
    const writing = writeOn({ host: hosts[1], seat: seats[0], lane: 9, count: ACKS / 4 }, { lost: 0, written: 0 });
    const asked: { cursor: number; reply: Reply }[] = [];
    for (let sent = 0; sent < ACKS; sent += 20) {
      const { head } = await readFeed(hosts[0], moderator, 'limit=1');
      const batch = Array.from({ length: 20 }, async (_, n) => {
        const cursor = n % 10 === 9 ? head + 10_000 : draws.whole(0, head);
        const host = hosts[n % 2] ?? hosts[0];
        asked.push({ cursor, reply: await ask({ host, seat: moderator, route: 'POST events/ack', body: { cursor } }) });
      });
      await Promise.all(batch);
    }
    await writing;
    watching.isOver = true;
    for (const seen of await Promise.all(watched)) expect(seen).toEqual(seen.toSorted((one, other) => one - other));

    for (const { cursor, reply } of asked) expect([cursor, verdictOf(cursor, reply)]).toEqual([cursor, 'right']);
    const taken = asked.filter(({ reply }) => reply.status === 200);
    expect(taken.length).toBeGreaterThan(ACKS * 0.8);
    const cursors = await storedAcks(scene, sessionId);
    expect(cursors.map(({ cursor }) => cursor)).toEqual(
      [...new Set(cursors.map(({ cursor }) => cursor))].toSorted((one, other) => one - other),
    );
    expect(cursors.filter(({ seq, cursor }) => cursor >= seq)).toEqual([]);
    const highest = Math.max(...taken.map(({ cursor }) => cursor));
    for (const host of hosts) expect((await readFeed(host, moderator, 'limit=1')).acked).toBe(highest);
  });
});

interface Writing {
  readonly host: HostProcess;
  readonly seat: Seat;
  readonly lane: number;
  readonly count: number;
}

/** Posts evidence and decisions alternately. Repeats a write that lost too many races. */
async function writeOn({ host, seat, lane, count }: Writing, tally: Tally): Promise<void> {
  for (let n = 0; n < count; ) {
    const note = `${lane} ${n}`;
    const [route, body] =
      n % 2 === 0
        ? ['POST evidence', { evidence: [{ kind: 'log', reference: note }] }]
        : ['POST decisions', { topic: `Topic ${lane}`, position: note }];
    const { status, text } = await ask({ host, seat, route: String(route), body: body as Json });
    tally.written += 1;
    if (status === 409 && text.includes('CONFLICT')) tally.lost += 1;
    else {
      expect(`${status} ${text}`).toMatch(/^200 /);
      n += 1;
    }
  }
}

interface Reading {
  readonly hosts: Hosts;
  readonly moderator: ModeratorSeat;
  readonly run: Run;
  readonly draws: Draws;
}

interface Read {
  readonly labels: readonly string[];
  readonly pages: number;
}

/** Reads the feed page by page, alternately from the two hosts, over REST and MCP. Acknowledges nothing. */
async function readOn({ hosts, moderator, run, draws }: Reading): Promise<Read> {
  const labels: string[] = [];
  let after = 0;
  let pages = 0;
  while (after < run.lastEvent) {
    const [host, limit] = [hosts[pages % 2] ?? hosts[0], draws.whole(1, 100)];
    const page =
      pages % 3 === 0
        ? await readByTool(host, moderator, { after, limit, wait: 25 })
        : await readFeed(host, moderator, `after=${after}&limit=${limit}&wait=25`);
    expect(page.events.length).toBeLessThanOrEqual(limit);
    labels.push(...page.events.map(labelOf));
    after = page.next;
    pages += 1;
  }
  return { labels, pages };
}

/** Reads unacknowledged events and acknowledges them. Sends each request to a process drawn at random. */
async function takeIn({ hosts, moderator, run, draws }: Reading): Promise<Read> {
  const labels: string[] = [];
  let pages = 0;
  for (let acked = 0; acked < run.lastEvent; pages += 1) {
    const host = draws.oneOf([...hosts]);
    const page = await readFeed(host, moderator, 'limit=100&wait=25');
    expect(page.acked).toBe(acked);
    labels.push(...page.events.map(labelOf));
    const other = draws.oneOf([...hosts]);
    const { status, text } = await ask({
      host: other,
      seat: moderator,
      route: 'POST events/ack',
      body: { cursor: page.next },
    });
    if (status === 409 && text.includes('CONFLICT')) labels.splice(labels.length - page.events.length);
    else {
      expect(`${status} ${text}`).toMatch(/^200 /);
      acked = page.next;
    }
  }
  return { labels, pages };
}

async function readByTool({ mcpUrl }: HostProcess, { token }: ModeratorSeat, input: Json): Promise<FeedPage> {
  const params = { name: 'get_session_events', arguments: input };
  const reply = await send(mcpUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { structuredContent, isError } = reply.body.result as { structuredContent: Json; isError: boolean };
  if (isError) throw new Error(reply.text);
  return feedPage(structuredContent);
}

const lastVisible = (stored: readonly string[], last: number): number =>
  Math.max(...stored.map((label) => Number(label.split(' ')[0])).filter((id) => id <= last));

/**
 * Checks the answer to an acknowledgement. A cursor beyond the head must be refused. A write that lost too many races
 * may be refused.
 */
function verdictOf(cursor: number, { status, text, body }: Reply): string {
  if (status === 409 && text.includes('CONFLICT')) return 'right';
  if (status === 422) return cursor > 10_000 ? 'right' : text;
  const [acked, head] = [Number(body.acked_cursor), Number(body.head)];
  return status === 200 && cursor <= acked && acked <= head ? 'right' : `${status} ${text}`;
}

/** Reads the acknowledged cursor alternately at both processes. Returns the cursors in the order of the requests. */
async function watchAcked(
  hosts: Hosts,
  moderator: ModeratorSeat,
  watching: { readonly isOver: boolean },
  first: number,
): Promise<number[]> {
  const seen: number[] = [];
  for (let n = first; !watching.isOver; n += 1)
    seen.push((await readFeed(hosts[n % 2] ?? hosts[0], moderator, 'limit=1')).acked);
  return seen;
}

async function storedAcks({ storage }: Scene, sessionId: string): Promise<{ seq: number; cursor: number }[]> {
  const { seq: last } = (await storage.fetch(sessionId, 1_000_000))?.head ?? expect.unreachable();
  const stored = await storage.events(sessionId, 1, last);
  return stored
    .map(({ body }) => JSON.parse(body))
    .filter(({ kind }) => kind === 'events.acknowledged')
    .map(({ seq, data }) => ({ seq, cursor: data.cursor }));
}
