import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { drawsFrom } from '../../processes/support/draws.ts';
import type { RunRecord, SessionRecord } from '../record.ts';
import type { TortureSeats } from '../support/company.ts';
import { takeTurns } from './builder.ts';
import type { Caller } from './caller.ts';
import { decide } from './decider.ts';
import { acknowledgeEvents, followEvents, readTranscript } from './readers.ts';
import { BUILDERS, type Client, type Pace } from './scene.ts';

export interface Load {
  /** Starts no new writes, waits until every write is answered and read, and lets the readers finish. */
  end(): Promise<void>;
}

/** In half of the sessions agents post quickly. In the others they pause for seconds, so that polls are held. */
const FAST: Pace = { leastMs: 100, mostMs: 400 };
const SLOW: Pace = { leastMs: 500, mostMs: 6_000 };

/** A reader may get an event by this much earlier than the writer of the event gets its answer. */
const ANSWERS_APART_MS = 500;
const HEARD_WITHIN_MS = 20_000;
const DONE_WITHIN_MS = 60_000;

export interface LoadOptions extends Pick<Client, 'followsRetryAfter'> {
  readonly seed: number;
  readonly everybody: readonly TortureSeats[];
  readonly caller: Caller;
  readonly record: RunRecord;
}

/**
 * Starts the clients of each session: two agents that post turns, a client that proposes and accepts decisions, and
 * four readers.
 */
export function startLoad({ seed, everybody, caller, record, followsRetryAfter }: LoadOptions): Load {
  const [stopping, ending] = [new AbortController(), new AbortController()];
  setMaxListeners(0, stopping.signal, ending.signal);
  const clients = record.sessions.flatMap((session, index): Client[] => {
    const seats = everybody[index];
    if (!seats) return [];
    return [
      {
        followsRetryAfter,
        ...{ seats, session, caller, run: record, name: `s${seed}-${index}`, pace: index % 2 === 0 ? FAST : SLOW },
        ...{ draws: drawsFrom(seed + index), stopping: stopping.signal, ending: ending.signal },
      },
    ];
  });
  const talking = clients.flatMap((client) => BUILDERS.map((role) => takeTurns(client, role)));
  const deciding = clients.map(decide);
  const reading = clients.flatMap((client) => [
    ...BUILDERS.map((role) => readTranscript(client, role)),
    followEvents(client),
    acknowledgeEvents(client),
  ]);

  return {
    async end() {
      stopping.abort();
      await within(DONE_WITHIN_MS, Promise.all(deciding), 'a decision was still under way', record);
      await allHeard(record.sessions);
      ending.abort();
      await within(DONE_WITHIN_MS, Promise.all([...talking, ...reading]), 'a client did not come to its end', record);
    },
  };
}

/**
 * Waits until no new write is sent, and each builder has received the answer to a poll after the other builder's last
 * write was acknowledged. Waits for at most `HEARD_WITHIN_MS`.
 */
async function allHeard(sessions: readonly SessionRecord[]): Promise<void> {
  const deadline = performance.now() + HEARD_WITHIN_MS;
  let before = -1;
  while (performance.now() < deadline) {
    const said = sessions.reduce((sum, { sent }) => sum + sent.size, 0);
    if (said === before && sessions.every(isHeard)) return;
    before = said;
    await pause(200);
  }
}

function isHeard({ acknowledged, looks, sent }: SessionRecord): boolean {
  if (new Set(acknowledged.map(({ key }) => key)).size < sent.size - unanswered(acknowledged, sent)) return false;
  return BUILDERS.every((role) => {
    const last = Math.max(0, ...acknowledged.filter(({ by }) => by !== role).map(({ at }) => at));
    return looks.some(({ by, at, isHeld }) => by === role && isHeld && at > last - ANSWERS_APART_MS);
  });
}

/** Counts the proposals that were sent and not acknowledged. The load sends no proposal twice. */
const unanswered = (acknowledged: SessionRecord['acknowledged'], sent: ReadonlySet<string>): number => {
  const known = new Set(acknowledged.map(({ key }) => key));
  return [...sent].filter((key) => key.startsWith('decision:') && !known.has(key)).length;
};

async function within(ms: number, work: Promise<unknown>, otherwise: string, { unfinished }: RunRecord): Promise<void> {
  const waiting = new AbortController();
  const late = pause(ms, 'late', { signal: waiting.signal }).catch(() => '');
  if ((await Promise.race([work, late])) === 'late') unfinished.push(otherwise);
  waiting.abort();
}
