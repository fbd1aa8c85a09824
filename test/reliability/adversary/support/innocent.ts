import { setTimeout as pause } from 'node:timers/promises';
import { MORE_ROUNDS, seat, type Target } from './target.ts';

/** A session whose two builders post turns at a normal rate while other sessions are attacked. */
export interface Innocent {
  /** Returns the response times since the previous call, in milliseconds. */
  times(): readonly number[];
  failures(): readonly number[];
  stop(): Promise<void>;
}

/** With this pause between two calls, a builder uses a third of its rate limit. */
const PAUSE_MS = 300;

export async function startInnocent(target: Target): Promise<Innocent> {
  const seats = await seat(target);
  await target.owner(`/sessions/${seats.id}/extend-rounds`, MORE_ROUNDS);
  let times: number[] = [];
  const failures: number[] = [];
  const stopping = new AbortController();
  const timed = async (role: 'agent_a' | 'agent_b', path: string, body?: object) => {
    const start = performance.now();
    const answer = await target.agent(seats.tokens[role], `/agent/sessions/${seats.id}/${path}`, body);
    const { status } = answer;
    times.push(performance.now() - start);
    if (status !== 200) failures.push(status);
    return answer;
  };
  const loops = (['agent_a', 'agent_b'] as const).map(async (role) => {
    while (!stopping.signal.aborted) {
      const { next_agent } = (await timed(role, 'state')).body;
      if (next_agent === role) await timed(role, 'turns', { summary: 'Going on.' });
      await pause(PAUSE_MS);
    }
  });
  return {
    times() {
      const before = times;
      times = [];
      return before;
    },
    failures: () => failures,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

export function p99(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN;
}
