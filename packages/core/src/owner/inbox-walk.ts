import type { SessionState } from '../areas/state.ts';
import type { Engine } from '../kernel/engine/engine.ts';
import type { ListedSession } from '../kernel/storage/listing.ts';
import { createMemoryInbox, type PlacedSession } from '../kernel/storage/memory-inbox.ts';
import type { StoredInbox } from '../kernel/storage/stored-inbox.ts';
import { glancesAt } from './glances.ts';
import { sessionsOf } from './own-session.ts';

/**
 * The inbox for a storage that does not store the places of sessions. Its first use folds every session of the owner
 * that has not ended and keeps the result, so each request needs a new inbox.
 */
export function walkedInbox(engine: Engine<SessionState>): StoredInbox {
  let walk: Promise<StoredInbox> | undefined;
  const walked = (ownerId: string): Promise<StoredInbox> => {
    walk ??= placeAll(engine, ownerId).then(createMemoryInbox);
    return walk;
  };
  return {
    count: async (ownerId, dueAt) => (await walked(ownerId)).count(ownerId, dueAt),
    page: async (ownerId, page) => (await walked(ownerId)).page(ownerId, page),
    unplaced: async () => [],
    note: async () => undefined,
    noteBroken: async () => undefined,
  };
}

async function placeAll(engine: Engine<SessionState>, ownerId: string): Promise<ReadonlyMap<string, PlacedSession>> {
  const listing: ListedSession[] = [];
  for await (const listed of sessionsOf({ engine, ownerId })) if (listed.status !== 'ENDED') listing.push(listed);
  const placed = (await glancesAt({ engine }, listing, false)).flatMap(({ listed, note, isBroken }) => {
    const { createdAt: at, seq } = listed;
    const head = note?.head ?? { seq, hash: '' };
    const place = isBroken ? ({ rank: 1, at, tasks: 1 } as const) : note?.place;
    return place
      ? [[listed.sessionId, { ownerId, listing: listed, head, noted: { seq: head.seq, place } }] as const]
      : [];
  });
  return new Map(placed);
}
