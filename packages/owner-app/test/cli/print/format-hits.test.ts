import { expect, test } from 'vitest';
import { formatHits } from '../../../src/cli/print/format-hits.ts';
import { UNLIMITED } from '../../../src/text/page.ts';
import { createPaint } from '../../../src/text/style.ts';

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
const linesOf = (found: object, hasColours = false): string[] =>
  formatHits([{ hit: { ...hit, ...found }, also: [], similar: [] }], place, {
    columns: UNLIMITED,
    paint: createPaint(hasColours),
  });

test('a request of the owner for changes has the command that shows its message', () => {
  expect(linesOf({}).slice(1)).toEqual([
    '  request on r_1  you, 2026-01-05 09:01 UTC, message 55',
    '    Say who may set the key.',
    '    parley show 7g24 55',
  ]);
});

test('a text in a revision of an agent has the command that shows the revision', () => {
  expect(linesOf({ from: 'agent_a' }).at(-1)).toBe('    parley show 7g24 r_1');
});

test('found words are bold and yellow on a terminal', () => {
  expect(linesOf({}, true)[2]).toContain('\u001b[1m\u001b[33mkey\u001b[39m\u001b[22m.');
});

test('the sessions with a similar text are named below the hit', () => {
  const lines = formatHits([{ hit, also: [], similar: [{ session_id: 'kp1xQ3b1aa' }] }], place, {
    columns: UNLIMITED,
    paint: createPaint(false),
  });
  expect(lines.at(-1)).toBe('    similar in 1 other session: kp1xQ3b1');
});
