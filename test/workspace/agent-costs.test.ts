import { expect, test } from 'vitest';
import {
  grownCosts,
  readRecordedCosts,
  runAndCount,
  runLightAndCount,
  sumCosts,
} from '../../scripts/measure/agent-costs.ts';

test('no agent of a mission calls or receives 5 % more than is recorded', async () => {
  const { recorded, light } = readRecordedCosts();
  expect(grownCosts(sumCosts(await runAndCount()), recorded)).toEqual([]);
  expect(grownCosts(sumCosts(await runLightAndCount()), light)).toEqual([]);
});

test('a builder needs at most 34 calls and 40,000 bytes of results for a whole mission', async () => {
  const { agent_a, agent_b } = sumCosts(await runAndCount());
  expect(Math.max(agent_a.calls, agent_b.calls)).toBeLessThanOrEqual(34);
  expect(Math.max(agent_a.bytes, agent_b.bytes)).toBeLessThanOrEqual(40_000);
});

test('a builder needs at most 15 calls and 20,000 bytes of results for a light session', async () => {
  const { agent_a, agent_b } = sumCosts(await runLightAndCount());
  expect(Math.max(agent_a.calls, agent_b.calls)).toBeLessThanOrEqual(15);
  expect(Math.max(agent_a.bytes, agent_b.bytes)).toBeLessThanOrEqual(20_000);
});

test('a figure 6 % above the recorded one is named, and one 5 % above is not', () => {
  const recorded = {
    agent_a: { calls: 100, bytes: 1000 },
    agent_b: { calls: 10, bytes: 100 },
    moderator: { calls: 1, bytes: 1 },
  };
  const measured = { ...recorded, agent_a: { calls: 105, bytes: 1060 } };
  expect(grownCosts(measured, recorded)).toEqual(['agent_a: 1060 bytes, recorded are 1000']);
});
