import { expect, test } from 'vitest';
import { hitPlace, hitsText, standingText } from '../../src/text/record-words.ts';

test.each([
  [0, true, 'No session contains these words.'],
  [0, false, 'No hits so far. Older sessions remain.'],
  [1, true, '1 hit.'],
  [50, false, '50 hits so far. Older sessions remain.'],
])('%i hits, all sessions searched: %s', (hits, isComplete, text) => {
  expect(hitsText(hits, isComplete)).toBe(text);
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
