import { expect } from 'vitest';
import { ask, speakerAt } from './ask.ts';
import { pollForWork, untilHeld } from './holding.ts';
import type { HostProcess } from './host-process.ts';
import type { Seats } from './scene.ts';

/** Sessions whose next speaker waits at the host `here` while the other agent posts at the host `there`. */
export interface Waking {
  readonly here: HostProcess;
  readonly there: HostProcess;
  readonly seated: readonly Seats[];
}

/**
 * The returned function posts a turn in every session at `there` while the next speaker polls at `here`. For each turn
 * it returns the milliseconds from the answer to the turn until the answer to the poll.
 */
export function wakesOf({ here, there, seated }: Waking): (beside?: () => Promise<unknown>) => Promise<number[]> {
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
