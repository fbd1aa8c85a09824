import { expect, test } from 'vitest';
import { alsoText, earlierCount, hitPlace, hitsText, placesText, standingText } from '../../src/text/records/hits.ts';

test('the other sessions are counted, and named by the beginnings of ids and titles if four lines have the space', () => {
  const one = { session_id: 'kp1xQ3b1aaaaaaaaaaaaaa', title: 'Signed webhooks for the order service' };
  const two = { session_id: '7g24Xk2abbbbbbbbbbbbbb', title: 'Refunds' };
  expect(alsoText([], { columns: 80 })).toBe('');
  expect(alsoText([one], { columns: 80 })).toBe(
    'the same in 1 other session: kp1xQ3b1 "Signed webhooks for the order service"',
  );
  expect(alsoText([one, two], { columns: 16 })).toBe(
    'the same in 2 other sessions: kp1xQ3b1 "Signed webhooks…", 7g24Xk2a "Refunds"',
  );
  expect(alsoText([one, two], { columns: 12 })).toBe('the same in 2 other sessions: kp1xQ3b1, 7g24Xk2a');
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

test('a hit names its record, or its message if the text is no part of a record', () => {
  const decision = { seq: 55, from: 'agent_a', record: { type: 'decision', id: 'd_2' } };
  expect(hitPlace(decision, true)).toEqual({ message: null, text: 'd_2' });
  expect(hitPlace(decision, false)).toEqual({ message: 55, text: '#55' });
});

test('a request of the owner for changes is named by its message, a revision of an agent by its id', () => {
  const record = { type: 'revision', id: 'r_1' };
  expect(hitPlace({ seq: 55, from: 'owner', record }, true)).toEqual({ message: 55, text: '#55, request on r_1' });
  expect(hitPlace({ seq: 55, from: 'agent_a', record }, true)).toEqual({ message: null, text: 'r_1' });
});

test('superseded decisions are counted', () => {
  expect(earlierCount(2)).toBe('2 superseded decisions with these words');
});

test('the places of a contract are counted, and the first six named', () => {
  const place = (words: string) => ({ section: 'risks', words, excerpts: [] });
  expect(placesText([], 'r_2')).toBe('');
  expect(placesText([place('summary')], 'r_2')).toBe('1 place in r_2: summary');
  expect(placesText(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(place), 'r_2')).toBe(
    '8 places in r_2: a, b, c, d, e, f, 2 more',
  );
});
