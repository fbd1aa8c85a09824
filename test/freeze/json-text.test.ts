import { expect, test } from 'vitest';
import { type Json, readText, writeText } from './support/json-text.ts';

const LONG = 'A sentence that is long enough to be written only once. '.repeat(5);
const POEM = ['one', 'two', 'three', 'four', 'five', LONG, 'seven'];
const VALUE: Json = {
  list: [
    { id: 1, text: LONG },
    { id: 2, text: `${LONG}!` },
    { id: 3, text: `${LONG}?` },
  ],
  again: [{ id: 0 }, { id: 1, text: LONG }, { id: 2, text: `${LONG}!` }, { id: 3, text: `${LONG}?` }, { id: 4 }],
  poem: POEM.join('\n'),
  'longer/poem': ['zero', ...POEM, 'eight'].join('\n'),
  'same/poem': { text: POEM.join('\n') },
  empty: { list: [], text: '', nothing: null },
};

test('what is written of a value is read as the same value, and a long part stands in it once', () => {
  const text = writeText(VALUE);
  expect(readText(text)).toEqual(VALUE);
  expect(text.split(LONG)).toHaveLength(5);
  expect(text).toContain('{"=":"/list/0","items":3}');
  expect(text).toContain('{"=":"/poem/0","items":7}');
});
