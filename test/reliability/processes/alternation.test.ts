import type { Builder, Json } from '@parley/missions';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Ask, ask, type Reply, speakerAt } from './support/ask.ts';
import { type Draws, drawsFrom } from './support/draws.ts';
import type { HostProcess } from './support/host-process.ts';
import { inLanes, rounds } from './support/rounds.ts';
import { databaseServer, openScene, type Scene, type Seats } from './support/scene.ts';
import { readTranscript } from './support/transcript.ts';

const RACES = rounds(2, 20);
const SESSIONS = rounds(2, 10);
const TURNS = rounds(40, 200);
const DROPPED_SHARE = 0.3;

describe.skipIf(databaseServer === null)('turns over several processes', () => {
  let scene: Scene;
  let hosts: [HostProcess, HostProcess, HostProcess];
  beforeAll(async () => {
    scene = await openScene();
    hosts = await Promise.all([scene.start(), scene.start(), scene.start()]);
    return scene.close;
  });

  test('200 at once from both agents over two leave no gap and no duplicate', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const seats = await scene.seat();
      const draws = drawsFrom(race);
      const roles = Array.from({ length: 200 }, () => draws.oneOf<Builder>(['agent_a', 'agent_b']));
      const posts = roles.map((role) => {
        const host = draws.oneOf([hosts[0], hosts[1]]);
        return ask({ host, seat: seats[role], route: 'POST turns', body: { summary: 'A message.' } });
      });
      const replies = await Promise.all(posts);
      const won = replies.filter(({ status }) => status === 200);
      const turns = await readTurns(seats, hosts[2]);
      expect(turns.map(({ turn_index }) => turn_index)).toEqual(turns.map((_, index) => index));
      expect(turns.map(({ from }) => from)).toEqual(turns.map((_, index) => speakerAt(index)));
      expect(won.map(({ body }) => body.turn_index).toSorted(byNumber)).toEqual(turns.map((_, index) => index));
      for (const [index, role] of roles.entries()) expectInTurn(role, replies[index]);
      console.log(`${won.length} of 200 concurrent turns were in turn`);
    }
  });

  test('each sent once to five times over three, with lost answers, are stored once', async () => {
    const tally = { sent: 0, dropped: 0 };
    await inLanes(SESSIONS, async (lane) => {
      const draws = drawsFrom(lane);
      const seats = await scene.seat();
      const answers: string[] = [];
      for (let index = 0; index < TURNS; index += 1) answers.push(await postSeveral(index));
      const turns = await readTurns(seats, hosts[0]);
      expect(turns.map(({ summary }) => summary)).toEqual(answers.map((_, index) => `Turn ${index}.`));
      expect(answers.map((answer) => JSON.parse(answer).turn_index)).toEqual(answers.map((_, index) => index));

      /** Sends several copies of one turn under one key, until at least one is answered. Expects equal answers. */
      async function postSeveral(index: number): Promise<string> {
        const texts = new Set<string>();
        while (texts.size === 0) {
          const copies = Array.from({ length: draws.whole(1, 5) }, () => {
            tally.sent += 1;
            return postUnderKey(index, draws.oneOf(hosts));
          });
          for (const reply of await Promise.all(copies)) {
            if (reply === null) continue;
            expect(reply).toMatchObject({ status: 200 });
            texts.add(reply.text);
          }
        }
        expect(texts.size).toBe(1);
        return [...texts].join();
      }

      function postUnderKey(index: number, host: HostProcess): Promise<Reply | null> {
        const body = { request_id: `turn-${index}`, summary: `Turn ${index}.` };
        return askOrDrop({ host, seat: seats[speakerAt(index)], route: 'POST turns', body }, draws, tally);
      }
    });
    console.log(`${SESSIONS * TURNS} turns sent ${tally.sent} times, ${tally.dropped} answers dropped`);
  });
});

/**
 * Expects that the turn was stored, or that the refusal names the other agent. agent_a has the turns with even numbers.
 */
function expectInTurn(role: Builder, reply: Reply | undefined): void {
  const isStored = reply?.status === 200;
  const other = role === 'agent_a' ? 'agent_b' : 'agent_a';
  if (!isStored) expect(reply).toMatchObject({ status: 409, body: { error: 'NOT_YOUR_TURN', next_agent: other } });
  expect(speakerAt(Number(reply?.body.turn_index))).toBe(isStored ? role : other);
}

/** Sends a request. At random, aborts it before, during or after its processing, and then returns null. */
async function askOrDrop(asked: Ask, draws: Draws, tally: { dropped: number }): Promise<Reply | null> {
  if (draws.share() >= DROPPED_SHARE) return ask(asked);
  tally.dropped += 1;
  const leaving = new AbortController();
  const timer = setTimeout(() => leaving.abort(), draws.whole(0, 12));
  await ask({ ...asked, signal: leaving.signal }).catch(() => undefined);
  clearTimeout(timer);
  return null;
}

async function readTurns(seats: Seats, host: HostProcess): Promise<Json[]> {
  const messages = await readTranscript(host, seats.agent_a);
  return messages
    .filter(({ kind }) => kind === 'turn.posted')
    .map(({ from, body }) => ({ from, summary: Object(body).summary, turn_index: Object(body).turn_index }));
}

const byNumber = (one: unknown, other: unknown): number => Number(one) - Number(other);
