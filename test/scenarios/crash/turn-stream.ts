import { restAgent } from '@parley/example-rest-agents';
import type { Builder } from '@parley/missions';
import type { Pass } from '../support/doors.ts';

/** The turns of one session, posted one after another until the server dies. */
export interface TurnStream {
  readonly passes: Readonly<Record<Builder, Pass>>;
  /** The answer to each acknowledged turn, by its number. */
  readonly acknowledged: string[];
}

export const turnAt = (index: number) => ({
  request_id: `turn-${index}`,
  summary: `Turn ${index} of a stream that a crash cuts off.`,
  questions: [`Question of turn ${index}?`],
  proposed_decisions: [{ topic: `Topic of turn ${index}`, position: 'As the turn says.' }],
});

export const speakerAt = (index: number): Builder => (index % 2 === 0 ? 'agent_a' : 'agent_b');

/** Continues after the acknowledged turns; the turn in flight is sent again under its key. */
export async function postUntilCut({ passes, acknowledged }: TurnStream, baseUrl: string): Promise<void> {
  const agents = { agent_a: restAgent(baseUrl, passes.agent_a), agent_b: restAgent(baseUrl, passes.agent_b) };
  for (;;) {
    const index = acknowledged.length;
    try {
      const answer = await agents[speakerAt(index)]('post_turn', turnAt(index));
      acknowledged.push(JSON.stringify(answer));
    } catch (error) {
      if (error instanceof TypeError) return; // Anything except the TypeError of fetch for a broken connection is a failure of the test.
      throw error;
    }
  }
}
