import { expect, test } from 'vitest';
import { alsoText, foldHits, foldSimilar, hitsText, standingText } from '../../src/text/records/fold-hits.ts';

const hit = (session_id: string, excerpt: string, status?: string) => ({ session_id, excerpt, status });

test('hits of other sessions with the same text and status are folded into the first', () => {
  const hits = [
    hit('s1', 'A key.'),
    hit('s1', 'A key.'),
    hit('s2', 'A key.'),
    hit('s3', 'A key.', 'OPEN'),
    hit('s2', 'A key.'),
  ];
  expect(foldHits(hits)).toEqual([
    { hit: hit('s1', 'A key.'), also: [hit('s2', 'A key.')] },
    { hit: hit('s1', 'A key.'), also: [] },
    { hit: hit('s3', 'A key.', 'OPEN'), also: [] },
  ]);
});

test('a text of the same record in another session that differs in at most three words is folded', () => {
  const entry = (session_id: string, text: string, id = 'd_2', status = '') => ({
    hit: { session_id, excerpt: text, status, record: { type: 'decision', id } },
    also: [],
  });
  const shop = entry('s1', 'The shop mints one idempotency key for each order and sends it.');
  const kiosk = entry('s2', 'The kiosk mints one idempotency key for each ticket and sends it.');
  const other = entry('s3', 'The bank keeps every idempotency key and never forgets a thing.');
  const record = entry('s4', shop.hit.excerpt, 'd_1');
  const status = entry('s5', shop.hit.excerpt, 'd_2', 'SUPERSEDED');
  const same = entry('s1', kiosk.hit.excerpt);
  const short = [entry('s6', 'A key.'), entry('s7', 'No key.')];
  expect(
    foldSimilar([shop, kiosk, other, record, status, same, ...short]).map(({ hit, similar }) => [
      hit.session_id,
      similar.map(({ session_id }) => session_id),
    ]),
  ).toEqual([
    ['s1', ['s2']],
    ['s3', []],
    ['s4', []],
    ['s5', []],
    ['s1', []],
    ['s6', []],
    ['s7', []],
  ]);
});

test('the other sessions are counted and named by the beginnings of their ids', () => {
  expect(alsoText([])).toBe('');
  expect(alsoText([{ session_id: 'kp1xQ3b1aaaaaaaaaaaaaa' }])).toBe('the same in 1 other session: kp1xQ3b1');
  expect(alsoText([{ session_id: 'kp1xQ3b1aaaaaaaaaaaaaa' }, { session_id: '7g24Xk2abbbbbbbbbbbbbb' }])).toBe(
    'the same in 2 other sessions: kp1xQ3b1, 7g24Xk2a',
  );
});

test.each([
  [0, 0, true, 'No session contains these words.'],
  [0, 0, false, 'No hits so far. Older sessions remain.'],
  [1, 1, true, '1 hit.'],
  [16, 2, true, '16 hits, 2 different texts.'],
  [50, 50, false, '50 hits so far. Older sessions remain.'],
  [50, 1, false, '50 hits so far, 1 different text. Older sessions remain.'],
])('%i hits with %i texts, all sessions searched: %s', (hits, texts, isComplete, text) => {
  expect(hitsText(hits, texts, isComplete)).toBe(text);
});

test('a status names the decision that replaced the record', () => {
  expect(standingText({})).toBe('');
  expect(standingText({ status: 'RESOLVED' })).toBe('resolved');
  expect(standingText({ status: 'SUPERSEDED', superseded_by: 'd_2' })).toBe('superseded by d_2');
});
