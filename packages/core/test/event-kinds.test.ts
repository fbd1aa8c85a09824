import { expect, test } from 'vitest';
import { EVENT_KINDS, factsOf } from '../../../test/support/event-samples.ts';
import { sessionCatalog } from '../src/areas/catalog.ts';

test('every kind of event has its version, its audience and its place in the transcript', () => {
  const found = Object.entries(sessionCatalog).map(([kind, { v, seenBy, message }]) => [kind, v, seenBy, message]);
  const expected = EVENT_KINDS.filter((kind) => factsOf(kind).isOfSession).map((kind) => {
    const { seenBy, message } = factsOf(kind);
    return [kind, 1, seenBy, message];
  });
  expect(found.toSorted()).toEqual(expected.toSorted());
});

test('kinds are spelled <noun>.<past participle>', () => {
  for (const kind of Object.keys(sessionCatalog)) expect(kind).toMatch(/^[a-z]+(_[a-z]+)?\.[a-z]+(ed|n|de)$/);
});
