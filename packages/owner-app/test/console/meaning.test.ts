import { expect, test } from 'vitest';
import { meaningWithoutText } from '../../console/src/session/reading/meaning.ts';

const TEXT = 'No row marks a key as in progress: the lock is on the\nkey, and the transaction releases it at its end.';

test.each([
  [
    'done when 3 of task t-1 added: No row marks a key as in progress: the lock …',
    null,
    TEXT,
    'done when 3 of task t-1 added',
  ],
  ['step 2 removed: No row marks a key as in progress: the lock is on the key, and …', TEXT, null, 'step 2 removed'],
  ['title added: Keys', null, 'Keys', 'title added'],
  ['title of task t-1: Keys → Locks', 'Keys', 'Locks', 'title of task t-1: Keys → Locks'],
  ['headers added: {"Retry-After":"1"}', null, '{\n "Retry-After": "1"\n}', 'headers added: {"Retry-After":"1"}'],
  ['summary: text changed', null, null, 'summary: text changed'],
])('shortens %j to its place if the text is shown below', (meaning, before, after, shown) => {
  expect(meaningWithoutText({ meaning, before, after })).toBe(shown);
});
