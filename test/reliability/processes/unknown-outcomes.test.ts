import type { Json } from '@parley/missions';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, type Reply, speakerAt } from './support/ask.ts';
import { type Cut, type CuttingProxy, openCuttingProxy } from './support/cutting-proxy.ts';
import type { HostProcess } from './support/host-process.ts';
import { isFull, rounds } from './support/rounds.ts';
import { databaseServer, openScene, type Scene, type Seats } from './support/scene.ts';
import { readTranscript } from './support/transcript.ts';

const SESSIONS = 4;
const STEPS = rounds(2, 40);
const SLOW = rounds(1, 5);
const ANSWER_MS = 400;
const shares = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS);
const CUTS: readonly Cut[] = [
  ...shares.map((share) => ({ part: 'request', share }) as const),
  ...shares.map((share) => ({ part: 'answer', share: Math.min(share, 0.995) }) as const),
];
/** Text by which the proxy recognizes a statement that appends. */
const APPEND = 'parley_append';

interface Evidence {
  readonly reference: string;
  readonly isAcknowledged: boolean;
}

interface Story {
  readonly seats: Seats;
  readonly turns: string[];
  readonly evidence: Evidence[];
}

describe.skipIf(databaseServer === null)('writes whose outcome is unknown', () => {
  let scene: Scene;
  let proxy: CuttingProxy;
  let cutOff: HostProcess;
  let whole: HostProcess;
  beforeAll(async () => {
    scene = await openScene();
    proxy = await openCuttingProxy(scene.databaseUrl);
    const database = {
      connectionString: proxy.url,
      hintConnectionString: scene.databaseUrl,
      answerMs: ANSWER_MS,
      connectMs: 2_000,
    };
    [cutOff, whole] = await Promise.all([scene.start({ database }), scene.start()]);
    return async () => {
      await scene.close();
      await proxy.close();
    };
  });

  test('are stored once where the connection is cut at any point', async () => {
    const stories = await openStories();
    for (const cut of CUTS) {
      const wasCut = proxy.cutNext(APPEND, cut);
      await Promise.all(stories.map(writeAndRetry));
      await wasCut;
    }
    await expectOnce(stories);
  });

  test('are stored once where statements arrive after they were given up', async () => {
    const stories = await openStories();
    for (let round = 0; round < SLOW; round += 1) {
      const wasCut = proxy.cutNext(APPEND, { lateMs: ANSWER_MS + 300 }, 1 + (round % 3));
      await Promise.all(stories.map(writeAndRetry));
      await wasCut;
    }
    await proxy.settled();
    await expectOnce(stories);
  });

  test('are stored once where the database answers too late', async () => {
    const stories = await openStories();
    for (let round = 0; round < SLOW; round += 1) {
      await Promise.all([holdInserts(scene.databaseUrl, 3 * ANSWER_MS), ...stories.map(writeAndRetry)]);
    }
    await expectOnce(stories);
  });

  test.runIf(isFull)('are stored at most once where the database stays away', async () => {
    const stories = await openStories();
    for (const share of [0, 1]) {
      const writing = stories.map(writeAndRetry);
      await proxy.cutNext(APPEND, { part: 'request', share });
      // For 20 ms after the cut, the proxy forwards statements. Then it breaks every connection and refuses new ones.
      setTimeout(() => proxy.stayAway(true), 20);
      await Promise.all(writing);
      proxy.stayAway(false);
    }
    await expectOnce(stories);
  });

  async function openStories(): Promise<Story[]> {
    const stories = (await scene.seatMany(SESSIONS)).map((seats): Story => ({ seats, turns: [], evidence: [] }));
    for (const story of [...stories, ...stories]) await postTurn(story, whole);
    return stories;
  }

  /**
   * Sends a turn and evidence to the host behind the proxy, then sends the turn again to the other host. If the first
   * answer acknowledged the turn, expects the same answer again.
   */
  async function writeAndRetry(story: Story): Promise<void> {
    const { seats, evidence } = story;
    const reference = `run ${evidence.length}`;
    const [turn, added] = await Promise.all([
      sendTurn(story, cutOff),
      ask({
        host: cutOff,
        seat: seats.agent_b,
        route: 'POST evidence',
        body: { evidence: [{ kind: 'log', reference }] },
      }),
    ]);
    expect([200, 503]).toContain(turn.status);
    expect([200, 503]).toContain(added.status);
    evidence.push({ reference, isAcknowledged: added.status === 200 });
    const again = await postTurn(story, whole);
    if (turn.status === 200) expect(again).toBe(turn.text);
  }

  async function postTurn(story: Story, host: HostProcess): Promise<string> {
    const { status, text } = await sendTurn(story, host);
    expect(`${status} ${text}`).toMatch(/^200 /);
    story.turns.push(text);
    return text;
  }

  async function expectOnce(stories: readonly Story[]): Promise<void> {
    const told = { acknowledged: 0, refused: 0 };
    for (const { seats, turns, evidence } of stories) {
      const messages = await readTranscript(whole, seats.agent_a);
      expect(turnsIn(messages)).toEqual(turns.map((_, index) => `Turn ${index}.`));
      const stored = evidenceIn(messages);
      for (const { reference, isAcknowledged } of evidence) {
        const times = stored.filter((one) => one === reference).length;
        expect(isAcknowledged ? [1] : [0, 1]).toContain(times);
        told[isAcknowledged ? 'acknowledged' : 'refused'] += 1;
      }
      expect((await scene.owner.verifyLog(seats.agent_a.sessionId)).ok).toBe(true);
    }
    console.log(`evidence: ${told.acknowledged} acknowledged, ${told.refused} not; every turn stored once`);
  }
});

function sendTurn({ seats, turns }: Story, host: HostProcess): Promise<Reply> {
  const index = turns.length;
  const body = { request_id: `turn-${index}`, summary: `Turn ${index}.` };
  return ask({ host, seat: seats[speakerAt(index)], route: 'POST turns', body });
}

const turnsIn = (messages: readonly Json[]): unknown[] =>
  messages.filter(({ kind }) => kind === 'turn.posted').map(({ body }) => Object(body).summary);

const evidenceIn = (messages: readonly Json[]): unknown[] =>
  messages
    .filter(({ kind }) => kind === 'evidence.posted')
    .flatMap(({ body }) => Object(body).evidence.map((item: Json) => item.reference));

/** Makes the database behave like a disk that hangs: inserts of events wait for `ms` milliseconds, reads do not. */
async function holdInserts(url: string, ms: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin; lock table parley_event in share mode');
  await new Promise((resolve) => setTimeout(resolve, ms));
  await client.query('commit');
  await client.end();
}
