import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createParley, GENESIS, type Head, openPeople, type Storage } from '@parley/core';
import { createTestClock } from '@parley/core/testing';
import { onTestFinished } from 'vitest';
import { makeOwnerKey } from '../../src/server/access/owner-key.ts';
import type { Archive } from '../../src/server/retain/archive.ts';
import { createFolderArchive } from '../../src/server/retain/open-archive.ts';
import { type RetentionOutcome, sweep } from '../../src/server/retain/retention.ts';
import { SESSION } from '../running-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
export const DAYS = 30;
const START = '2026-01-05T09:00:00.000Z';

/** A Parley on a storage, with a separate clock and an archive in a new folder. */
export async function openRetained(storage: Storage) {
  const clock = createTestClock(START);
  const parley = await createParley({ storage, clock });
  onTestFinished(() => parley.close());
  const folder = join(await mkdtemp(join(tmpdir(), 'parley-retain-')), 'archive');
  onTestFinished(() => rm(join(folder, '..'), { recursive: true, force: true }));
  const people = openPeople({ storage, clock, makeKey: makeOwnerKey, random: randomBytes });
  onTestFinished(() => people.close());
  const { account } = await people.calls().addAccount({ name: `Retained ${randomUUID()}` });
  const ownerId = account.account_id;
  const owner = parley.owner(ownerId);
  const warnings: unknown[] = [];
  const counted: RetentionOutcome[] = [];
  const log = { info: () => undefined, warn: ({ err }: { err?: unknown }) => void warnings.push(err) };
  return {
    storage,
    clock,
    parley,
    people,
    ownerId,
    owner,
    folder,
    archive: createFolderArchive(folder),
    warnings,
    counted,
    afterDays: (days: number, ms = 0) => clock.advance(days * DAY_MS + ms),
    /** Creates, starts and ends a session. */
    async endedSession(title = 'Refunds'): Promise<string> {
      const { session_id } = await owner.createSession({ ...SESSION, title });
      await owner.start(session_id);
      await owner.end(session_id, { end_reason: 'COMPLETED' });
      return session_id;
    },
    /** Appends an event whose data contains the hash of a large text, and stores that text. */
    async addDocument(sessionId: string, body: string): Promise<void> {
      const { head = GENESIS } = (await storage.fetch(sessionId, 0)) ?? {};
      const seq = head.seq + 1;
      const facts = { session_id: sessionId, seq, at: START, kind: 'entitlement.changed', v: 1, actor: 'owner' };
      const event = JSON.stringify({ ...facts, data: { entitled: true, sha256: sha256(body) }, prev_hash: head.hash });
      await storage.append({
        sessionId,
        expected: head,
        events: [{ seq, hash: sha256(event), body: event }],
        documents: [{ sha256: sha256(body), body }],
        listing: { title: 'T', status: 'ENDED', phase: 'PLANNING', createdAt: START },
      });
    },
    sweep: (archive: Archive = createFolderArchive(folder)) =>
      sweep({
        owners: [owner],
        archive,
        days: DAYS,
        nowMs: clock.now(),
        log,
        count: (outcome) => counted.push(outcome),
      }),
    files: async () => (await readdir(folder).catch(() => [])).sort(),
    read: (name: string) => readFile(join(folder, name), 'utf8'),
  };
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the names of the files of an export. */
export function exportedFiles(sessionId: string, { seq, hash }: Head) {
  const stem = `parley-${sessionId}-${seq}-${hash.slice(0, 16)}`;
  return { documents: `${stem}.documents.jsonl`, log: `${stem}.jsonl`, sums: `${stem}.sha256` };
}
