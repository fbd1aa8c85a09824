import { createHash, randomBytes } from 'node:crypto';
import type { Append, Head, NewSession, Storage, StoredEvent } from '@parley/core';

export const GENESIS: Head = { seq: 0, hash: '0'.repeat(64) };

export const newId = (): string => `s${randomBytes(10).toString('hex')}`;

const LISTING = { title: 'Title', status: 'DRAFT', phase: 'PLANNING', createdAt: '2026-01-02T03:04:05.678Z' };

export function sessionOf(sessionId: string): NewSession {
  return { sessionId, ownerId: 'owner', listing: LISTING };
}

export function eventAfter({ seq, hash }: Head, text = 'x'): StoredEvent {
  const body = JSON.stringify({ seq: seq + 1, text, prev_hash: hash });
  return { seq: seq + 1, hash: createHash('sha256').update(body).digest('hex'), body };
}

export function appendOf(sessionId: string, expected: Head, text?: string): Append {
  const listing = { ...LISTING, status: 'ACTIVE' };
  return { sessionId, expected, events: [eventAfter(expected, text)], documents: [], listing };
}

/** Stores sessions without events. The first append to each session expects the head `GENESIS`. */
export async function startSessions(storage: Storage, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, newId);
  await Promise.all(ids.map((sessionId) => storage.create(sessionOf(sessionId), [], [])));
  return ids;
}
