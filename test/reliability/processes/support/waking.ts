import { expect } from 'vitest';
import { ask, speakerAt } from './ask.ts';
import { pollForWork, untilHeld } from './holding.ts';
import type { HostProcess } from './host-process.ts';
import type { Seats } from './scene.ts';

/** Sessions whose next speaker waits at one host while the other agent speaks at another. */
export interface Waking {
  readonly here: HostProcess;
  readonly there: HostProcess;
  readonly seated: readonly Seats[];
}

/** A function that lets a turn of every session be waited for here and posted there; gives the milliseconds it took. */
export function wakesOf({ here, there, seated }: Waking): (beside?: () => Promise<unknown>) => Promise<number[]> {
  /** Turns of each session so far. */
  let turns = 0;

  return async (beside = async () => undefined) => {
    const speaker = speakerAt(turns);
    const waiting = seated.map((seats) => pollForWork(here, seats[speakerAt(turns + 1)]));
    await untilHeld(here, seated.length);
    const writing = seated.map((seats) =>
      ask({ host: there, seat: seats[speaker], route: 'POST turns', body: { summary: `Turn ${turns}.` } }),
    );
    const [written, woken] = await Promise.all([Promise.all(writing), Promise.all(waiting), beside()]);
    turns += 1;
    expect(written.map(({ status }) => status)).toEqual(seated.map(() => 200));
    expect(woken.map(({ body }) => [body.your_turn, body.timed_out])).toEqual(seated.map(() => [true, false]));
    return woken.map(({ at }, index) => at - (written[index]?.at ?? 0));
  };
}
