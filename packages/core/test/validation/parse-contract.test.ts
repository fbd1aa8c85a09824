import { describe, expect, test } from 'vitest';
import { checkContract } from '../../src/areas/validation/validate.ts';
import { FULL_CONTRACT, FULL_MISSION } from '../full-contract/full-contract.ts';

const [task] = FULL_CONTRACT.tasks;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ ...task, id: `task-${index}` }));
const check = (tasks: readonly unknown[]) => checkContract({ ...FULL_CONTRACT, tasks }, FULL_MISSION);

describe('a long list', () => {
  test('is read to its end', () => {
    expect(check(numbered(450)).contract?.tasks).toHaveLength(450);
  });

  test.each([0, 19, 20, 399, 449])('reports the fault at place %i, with its pointer', (place) => {
    const tasks = numbered(450).map((item, index) => (index === place ? { ...item, title: 7 } : item));
    const { contract, issues, errorCount } = check(tasks);
    expect(contract).toBeNull();
    expect(issues.map(({ code, pointer }) => [code, pointer])).toEqual([['SCHEMA', `/tasks/${place}/title`]]);
    expect(errorCount).toBe(1);
  });

  test('of broken items reports those of its first broken part', () => {
    const { issues, errorCount } = check(Array.from({ length: 15_000 }, () => ({})));
    expect(issues).toHaveLength(100);
    expect(issues[0]?.pointer).toMatch(/^\/tasks\/0\//);
    expect(errorCount).toBe(160);
  });
});
