import { expect, test } from 'vitest';
import { formatHits } from '../../../src/cli/sessions/find.ts';
import { createPaint, UNLIMITED } from '../../../src/text/page.ts';
import { answerOf } from '../../answer-of.ts';

const place = { program: 'parley', idOf: (id: string) => id.slice(0, 4) };
const hit = {
  session_id: '7g24aaaa',
  title: 'Refunds',
  seq: 55,
  at: '2026-01-05T09:01:00.000Z',
  from: 'owner',
  record: { type: 'revision', id: 'r_1' },
  excerpt: 'Say who may set the key.',
  marks: [{ start: 20, end: 23 }],
};
const hitOf = (found: object) => {
  const [whole] = answerOf('find', { hits: [{ ...hit, ...found }] }).hits;
  if (!whole) throw new Error('There is no hit.');
  return whole;
};
const linesOf = (found: object, hasColours = false): string[] =>
  formatHits([hitOf(found)], place, {
    columns: UNLIMITED,
    paint: createPaint(hasColours),
  });

test('a request of the owner for changes has the command that shows its message', () => {
  expect(linesOf({}).slice(1)).toEqual([
    '  #55, request on r_1  you, 2026-01-05 09:01 UTC',
    '    Say who may set the key.',
    '    parley show 7g24 55',
  ]);
});

test('a text of a turn is named by the number of its message, and a record with the number beside the time', () => {
  expect(linesOf({ from: 'agent_a', record: { type: 'turn', id: '2' } })[1]).toMatch(/^ {2}#55 {2}agent_a, [^,]*$/);
  expect(linesOf({ record: { type: 'question', id: 'q_1' } })[1]).toMatch(/^ {2}q_1 {2}you, .*UTC, #55$/);
});

test('a text in a revision of an agent has the command that shows the revision', () => {
  expect(linesOf({ from: 'agent_a' }).at(-1)).toBe('    parley show 7g24 r_1');
});

test('found words are bold and yellow on a terminal', () => {
  expect(linesOf({}, true)[2]).toContain('\u001b[1m\u001b[33mkey\u001b[39m\u001b[22m.');
});
