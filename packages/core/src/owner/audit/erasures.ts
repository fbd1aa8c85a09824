/**
 * The log of an owner's erased sessions. Each owner has one such log. It is stored like a session, under a session id
 * that no session has and an owner id that no owner has. An erasure is recorded before the session is deleted. After a
 * crash between record and deletion, the session still exists and the erasure can be repeated; the same erasure is
 * recorded only once.
 */

import { z } from 'zod';
import type { SessionState } from '../../areas/state.ts';
import { isoTime } from '../../kernel/clock.ts';
import type { Engine } from '../../kernel/engine/engine.ts';
import { GENESIS, type LoggedEvent } from '../../kernel/log/event.ts';
import { type DraftsOf, defineEvents, type EventsOf, message } from '../../kernel/log/event-catalog.ts';
import {
  emptyMap,
  lookUp,
  type PersistentMap,
  withEntry,
  withoutEntry,
} from '../../kernel/log/persistent-collections.ts';
import type { LogDomain, SessionRoot } from '../../kernel/operation/operation.ts';
import { ERASURE_LOG_PREFIX, erasureOwnerOf, type PersonRef } from '../../kernel/person.ts';
import { type OwnLog, openOwnLog } from '../../kernel/session/own-log.ts';
import { sha256Hex } from '../../kernel/text/sha256.ts';
import type { OwnerOf } from '../own-session.ts';

export const erasureEvents = defineEvents({
  'session.erased': message(
    {
      session_id: z.string(),
      title: z.string(),
      /** Number of events in the erased log. */
      events: z.int(),
      /** Hash of the last event in the erased log. */
      head_hash: z.string(),
      /** Where the log was exported to. Absent if a person erased the session. */
      exported_to: z.string().optional(),
      /** SHA-256 of the exported log. */
      checksum: z.string().optional(),
      /** SHA-256 of the exported documents. */
      documents_checksum: z.string().optional(),
    },
    { seenBy: 'owner' },
  ),
  /** An erasure that was recorded but not done, because the log of the session got a new event. */
  'session.not_erased': message(
    {
      session_id: z.string(),
      title: z.string(),
      /** The `head_hash` of the `session.erased` event. */
      head_hash: z.string(),
    },
    { seenBy: 'owner' },
  ),
});

type ErasureDraft = DraftsOf<typeof erasureEvents>;
type ErasureEvent = EventsOf<typeof erasureEvents>;
type DataOf<K extends ErasureDraft['kind']> = Extract<ErasureDraft, { readonly kind: K }>['data'];
export type Erasure = DataOf<'session.erased'>;

interface Erasures extends SessionRoot {
  /** The hash of the last event of each erased session, by session id. */
  readonly heads: PersistentMap<string>;
}

/** The ids under which a storage keeps the log of an owner's erased sessions. */
export const erasureLogOf = (ownerId: string) => ({
  sessionId: `${ERASURE_LOG_PREFIX}${sha256Hex(ownerId).slice(0, 40)}`,
  ownerId: erasureOwnerOf(ownerId),
});

const domainOf = (ownerId: string): LogDomain<Erasures> => ({
  catalog: erasureEvents,
  empty: (sessionId) => ({ sessionId, ownerId, head: GENESIS, at: isoTime(0), heads: emptyMap() }),
  evolve(state, event: LoggedEvent) {
    const { seq, hash, at, kind, data } = event as ErasureEvent;
    const { session_id, head_hash } = data;
    const heads =
      kind === 'session.erased' ? withEntry(state.heads, session_id, head_hash) : withoutEntry(state.heads, session_id);
    return { ...state, head: { seq, hash }, at, heads };
  },
  settleObligations: () => [],
  listing: ({ at }) => ({ title: 'Erased sessions', status: 'ACTIVE', phase: 'ERASED', createdAt: at }),
});

/** The opened logs of erased sessions, by owner id, for each engine. */
const opened = new WeakMap<Engine<SessionState>, Map<string, OwnLog<Erasures, ErasureDraft>>>();

function logOf({ engine, ownerId }: OwnerOf): OwnLog<Erasures, ErasureDraft> {
  const logs = opened.get(engine) ?? new Map<string, OwnLog<Erasures, ErasureDraft>>();
  opened.set(engine, logs);
  const ids = erasureLogOf(ownerId);
  const { storage, clock, random } = engine;
  const parts = {
    storage,
    clock,
    random,
    sessionId: ids.sessionId,
    about: 'erased sessions',
    onState: () => undefined,
  };
  const log = logs.get(ownerId) ?? openOwnLog<Erasures, ErasureDraft>({ ...parts, domain: domainOf(ids.ownerId) });
  logs.set(ownerId, log);
  return log;
}

/** Records that a session is erased, unless the same erasure is recorded already. */
export async function recordErasure(
  owner: OwnerOf,
  who: () => Promise<PersonRef | undefined>,
  erasure: Erasure,
): Promise<void> {
  const { session_id, head_hash } = erasure;
  await logOf(owner).change(who, ({ heads }) =>
    lookUp(heads, session_id) === head_hash ? [] : [{ kind: 'session.erased', data: erasure }],
  );
}

/**
 * Records that an erasure was not done. Stores nothing if the log of erasures does not contain the erasure, or already
 * records that it was not done.
 */
export async function recordNotErased(
  owner: OwnerOf,
  who: () => Promise<PersonRef>,
  { session_id, title, head_hash }: DataOf<'session.not_erased'>,
): Promise<void> {
  await logOf(owner).change(who, ({ heads }) =>
    lookUp(heads, session_id) === head_hash
      ? [{ kind: 'session.not_erased', data: { session_id, title, head_hash } }]
      : [],
  );
}
