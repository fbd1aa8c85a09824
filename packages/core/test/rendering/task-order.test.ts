import { describe, expect, test } from 'vitest';
import type { ContractTask } from '../../src/areas/document/contract.ts';
import { inDependencyOrder } from '../../src/areas/rendering/handoff.ts';

const task = (id: string, ...depends_on: string[]): ContractTask => ({
  id,
  title: id,
  assignee: 'agent_a',
  requirements: [],
  interfaces: [],
  depends_on,
  deliverables: [],
  done_when: [],
});
const order = (...tasks: ContractTask[]): string[] => inDependencyOrder(tasks).map(({ id }) => id);

describe('inDependencyOrder', () => {
  test('keeps the order of the contract if no task depends on another', () => {
    expect(order(task('c'), task('a'), task('b'))).toEqual(['c', 'a', 'b']);
  });

  test('puts each task after those it depends on', () => {
    expect(order(task('a', 'c'), task('b'), task('c', 'd'), task('d'))).toEqual(['d', 'c', 'a', 'b']);
  });

  test('contains every task once, also in cycles and with unknown and repeated ids', () => {
    expect(order(task('a', 'b'), task('b', 'a'), task('c', 'c', 'nobody'))).toEqual(['b', 'a', 'c']);
    expect(order(task('a'), task('b', 'a'), task('a', 'b'))).toEqual(['a', 'b', 'a']);
  });

  test('follows a chain of any length', () => {
    const chain = Array.from({ length: 50_000 }, (_, index) => task(`t${index}`, `t${index + 1}`));
    expect(order(...chain).at(0)).toBe('t49999');
  });
});
