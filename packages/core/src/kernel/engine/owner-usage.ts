import { erasureOwnerOf } from '../person.ts';
import type { OwnerUse, Storage } from '../storage/storage.ts';

/**
 * Counts what an owner uses: the sessions, and the events that record the erasure of sessions. Without these events, an
 * owner could create and delete sessions without limit.
 */
export async function ownerUsage(storage: Pick<Storage, 'usage'>, ownerId: string): Promise<OwnerUse> {
  const [{ sessions, events, bytes }, erased] = await Promise.all([
    storage.usage(ownerId),
    storage.usage(erasureOwnerOf(ownerId)),
  ]);
  return { sessions, events: events + erased.events, bytes: bytes + erased.bytes };
}
