import { expect, test } from 'vitest';
import { createSessions, DEFAULT_CACHE } from '../../../src/kernel/session/sessions.ts';
import { createDocuments } from '../../../src/kernel/session/stored-texts.ts';
import { sha256Hex } from '../../../src/kernel/text/hash.ts';
import { noteChain, SESSION } from '../support/chain.ts';
import { notes, storageWith } from '../support/notes.ts';

/** The stored JSON text of an event is 221 characters longer than the note that the event contains. */
test.each([
  { what: 'ASCII', character: 'a', stored: 1_221, inMemory: 1_221 },
  { what: 'accented', character: 'é', stored: 2_221, inMemory: 2_442 },
  { what: 'Chinese', character: '漢', stored: 3_221, inMemory: 2_442 },
  { what: 'astral', character: '😀', stored: 4_221, inMemory: 4_442 },
])(
  'an event of a thousand $what characters counts as many bytes as it takes in memory',
  async ({ character, stored, inMemory }) => {
    const log = noteChain([character.repeat(1_000)]);
    const sessions = createSessions(await storageWith(log), notes, DEFAULT_CACHE);
    await sessions.load(SESSION);
    expect(await sessions.read(SESSION, [1])).toMatchObject([{ seq: 1, bytes: stored }]);
    expect(sessions.use()).toMatchObject([
      { cache: 'sessions', bytes: 5_000 + 300 + inMemory },
      { cache: 'events', bytes: 200 + inMemory },
    ]);
  },
);

test('a document counts as many bytes as it takes in memory', async () => {
  const documents = createDocuments(await storageWith([]), 1_000_000);
  const bodies = ['a'.repeat(1_000), '漢'.repeat(1_000)];
  documents.keep(
    SESSION,
    bodies.map((body) => ({ sha256: sha256Hex(body), body })),
  );
  expect(documents.use()).toMatchObject({ entries: 2, bytes: 1_200 + 2_200 });
});
