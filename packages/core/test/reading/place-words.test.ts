import { expect, test } from 'vitest';
import { placeWords } from '../../src/reading.ts';

const contract = {
  tasks: [{ id: 'task-a', done_when: ['It runs.', 'It is tested.'] }],
  interfaces: [{ id: 'if-x', operations: [{ name: 'POST /x', errors: [{ code: 'LOCKED', status: 409 }] }] }],
};

test.each([
  ['/tasks/0', 'task task-a'],
  ['/tasks/0/done_when/1', 'done when 2 of task task-a'],
  ['/interfaces/0/operations/0/errors/0/status', 'status of error LOCKED of operation POST /x of interface if-x'],
  ['/tasks/4', undefined],
  ['/toString', undefined],
])('the place %s of a contract in words', (pointer, words) => {
  expect(placeWords(contract, pointer)).toBe(words);
});
