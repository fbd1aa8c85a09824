import type { z } from 'zod';
import type { sessionCatalog } from '../areas/catalog.ts';
import type { BodyOf } from '../kernel/log/event-catalog.ts';
import type { PersonRef } from '../kernel/person.ts';
import type { Actor } from '../kernel/roles.ts';
import type { erasureEvents } from '../owner/audit/erasures.ts';
import type { peopleEvents } from '../people/events.ts';

/** The kinds of events of sessions, of people and of erased sessions. */
export type Catalog = typeof sessionCatalog & typeof peopleEvents & typeof erasureEvents;

/** The kinds of the events of sessions, of people and of erased sessions. */
export type EventName = keyof Catalog;
type SessionEventName = keyof typeof sessionCatalog;

type DataOf<K extends EventName> = z.output<Catalog[K]['data']>;

/** What an event contains. Members that the transcript leaves out are optional. */
export type EventBody<K extends EventName> = BodyOf<Catalog[K]>;

/** The kind of an event with the members that an event of this kind has. */
export type Happened<K extends EventName = EventName> = {
  [P in K]: { readonly kind: P; readonly body: EventBody<P> };
}[K];

/** An event as an entry of the transcript. */
export type EventEntry<K extends EventName = SessionEventName> = {
  readonly id: number;
  readonly at: string;
  readonly from: Actor;
  /** The person who acted for the owner. Absent if nobody is known. */
  readonly person?: PersonRef | undefined;
} & Happened<K>;

/** An event as the stream of a session's events and the exported log contain it. */
export type SentEvent = {
  readonly seq: number;
  readonly at: string;
  readonly v: number;
  readonly actor: Actor;
  readonly person?: PersonRef | undefined;
} & { [K in SessionEventName]: { readonly kind: K; readonly data: DataOf<K> } }[SessionEventName];
