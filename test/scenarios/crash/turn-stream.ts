import { NoAnswer, type Seat } from '@parley/core/client';
import type { Builder } from '@parley/missions';
import { restAgent } from '../support/doors.ts';

/** A session whose turns are posted one after another until the server is killed. */
export interface TurnStream {
  readonly passes: Readonly<Record<Builder, Seat>>;
  /** Answers to the acknowledged turns, by number of the turn. */
  readonly acknowledged: string[];
}

export const turnAt = (index: number) => ({
  request_id: `turn-${index}`,
  summary: `Turn ${index} of a stream that a crash cuts off.`,
  questions: [`Question of turn ${index}?`],
  proposed_decisions: [{ topic: `Topic of turn ${index}`, position: 'As the turn says.' }],
});

export const speakerAt = (index: number): Builder => (index % 2 === 0 ? 'agent_a' : 'agent_b');

/**
 * Posts turns until the server is killed. Begins with the turn that was in flight at the last kill, and sends it with
 * the same idempotency key again.
 */
export async function postUntilCut({ passes, acknowledged }: TurnStream, baseUrl: string): Promise<void> {
  const agents = { agent_a: restAgent(baseUrl, passes.agent_a), agent_b: restAgent(baseUrl, passes.agent_b) };
  for (;;) {
    const index = acknowledged.length;
    try {
      const answer = await agents[speakerAt(index)]('post_turn', turnAt(index));
      acknowledged.push(JSON.stringify(answer));
    } catch (error) {
      if (error instanceof NoAnswer) return; // The connection broke. Any other error fails the test.
      throw error;
    }
  }
}
