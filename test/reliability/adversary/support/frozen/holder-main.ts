import { createHash } from 'node:crypto';
import type { Head, Storage } from '@parley/core';
import { createPgliteStorage } from '@parley/storage-pg';

/**
 * Opens the database folder and appends to each session without pauses until the process is killed or loses the folder.
 * First prints `found <session> <seq> <hash>` for each session, after it has verified the log from the given head on.
 * Then prints `ack <session> <seq>` for every acknowledged append. Prints why it ends.
 */
const [, , folder = '', silenceMs = '', verified = ''] = process.argv;

function end(reason: unknown): never {
  process.stdout.write(`end ${reason instanceof Error ? reason.message : String(reason)}\n`);
  process.exit(1);
}

const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/** Follows a log from a head that was verified before. Returns its present head. */
async function follow(storage: Storage, sessionId: string, from: Head): Promise<Head> {
  let last = from;
  for (;;) {
    const news = await storage.fetch(sessionId, last.seq);
    for (const { seq, hash, body } of news?.events ?? []) {
      if (seq !== last.seq + 1 || JSON.parse(body).prev_hash !== last.hash || hashOf(body) !== hash)
        throw new Error(`The log of ${sessionId} is broken at ${seq}.`);
      last = { seq, hash };
    }
    if (news?.more) continue;
    if (news?.head.hash !== last.hash) throw new Error(`The log of ${sessionId} ends at ${last.seq}.`);
    return last;
  }
}

async function keepAppending(storage: Storage, sessionId: string, found: Head): Promise<void> {
  let head = found;
  for (;;) {
    const body = JSON.stringify({ seq: head.seq + 1, text: 'x'.repeat(500), prev_hash: head.hash });
    const event = { seq: head.seq + 1, hash: hashOf(body), body };
    const listing = { title: 'Title', status: 'ACTIVE', phase: 'PLANNING', createdAt: '2026-01-02T03:04:05.678Z' };
    const outcome = await storage.append({ sessionId, expected: head, events: [event], documents: [], listing });
    if (outcome !== 'appended') throw new Error(`The append was answered with ${outcome}.`);
    process.stdout.write(`ack ${sessionId} ${event.seq}\n`);
    head = event;
  }
}

try {
  const storage = await createPgliteStorage({
    folder,
    silenceMs: Number(silenceMs),
    // Closes the storage like a program that ends in good order, which must not write to the folder either.
    onStopped: (reason) => setImmediate(() => storage.close().then(() => end(reason), end)),
  });
  const heads = new Map<string, Head>();
  for (const [id, head] of Object.entries<Head>(JSON.parse(verified))) heads.set(id, await follow(storage, id, head));
  for (const [id, { seq, hash }] of heads) process.stdout.write(`found ${id} ${seq} ${hash}\n`);
  await Promise.all([...heads].map(([id, head]) => keepAppending(storage, id, head))).catch(() => undefined);
} catch (error) {
  end(error);
}
