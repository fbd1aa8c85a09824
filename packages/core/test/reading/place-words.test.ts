import { expect, test } from 'vitest';
import { placeWords } from '../../src/reading.ts';

const contract = {
  tasks: [{ id: 'task-a', done_when: ['It runs.', 'It is tested.'] }],
  interfaces: [{ id: 'if-x', operations: [{ name: 'POST /x', errors: [{ code: 'LOCKED', status: 409 }] }] }],
};

test.each([
  ['/tasks/0', 'tasks › task-a'],
  ['/tasks/0/done_when/1', 'tasks › task-a › done when › 2'],
  ['/interfaces/0/operations/0/errors/0/status', 'interfaces › if-x › operations › POST /x › errors › LOCKED › status'],
  ['/tasks/4', undefined],
  ['/toString', undefined],
])('the place %s of a contract in words', (pointer, words) => {
  expect(placeWords(contract, pointer)).toBe(words);
});
