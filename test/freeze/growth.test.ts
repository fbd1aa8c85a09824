import { createMemoryStorage, createParley } from '@parley/core';
import { expect, onTestFinished, test } from 'vitest';
import { joinSession } from '../support/join-session.ts';
import { openCoverage } from './support/coverage.ts';

const TURN = { summary: 'The cursor holds the last id.' };
const [FEW, MANY] = [10, 210];

/** The calls of functions that each of these writes runs while so many decisions and questions of A wait for B. */
async function callsOfWrites(open: number) {
  const parley = await createParley({ storage: createMemoryStorage() });
  onTestFinished(() => parley.close());
  const { tokens } = await joinSession({ parley, owner: parley.owner('acme') });
  const [a, b] = [parley.agent(tokens.agent_a), parley.agent(tokens.agent_b)];
  for (let index = 0; index < open; index += 10) {
    const tens = Array.from({ length: 10 }, (_, more) => index + more);
    const proposed_decisions = tens.map((each) => ({
      topic: `Topic ${each}`,
      position: 'The cursor holds the last id.',
    }));
    await a.call('post_turn', {
      ...TURN,
      proposed_decisions,
      questions: tens.map((each) => ({ to: 'agent_b', text: `Which is ${each}?` })),
    });
    await b.call('post_turn', TURN);
  }
  const coverage = await openCoverage();
  onTestFinished(() => coverage.close());
  const callsOf = async (write: () => Promise<unknown>): Promise<number> => (await coverage.count(write)).calls;
  return {
    turn: await callsOf(() => a.call('post_turn', TURN)),
    proposal: await callsOf(() => b.call('submit_decision', { topic: 'Size', position: 'A page has 50 rows.' })),
    acceptance: await callsOf(() => b.call('accept_decision', { decision_id: 'd_1' })),
    answer: await callsOf(() => b.call('answer_question', { question_id: 'q_1', answer: 'The id.' })),
  };
}

test('a write looks at each open decision and question a few times, not once for each task and step', async () => {
  await callsOfWrites(FEW);
  const [few, many] = [await callsOfWrites(FEW), await callsOfWrites(MANY)];
  for (const calls of Object.values(few)) expect(calls).toBeGreaterThan(200);
  const callsForEach = (name: keyof typeof few): number => (many[name] - few[name]) / (2 * (MANY - FEW));
  expect(callsForEach('turn')).toBeLessThan(3);
  expect(callsForEach('proposal')).toBeLessThan(3);
  expect(callsForEach('acceptance')).toBeLessThan(3);
  expect(callsForEach('answer')).toBeLessThan(6);
});
