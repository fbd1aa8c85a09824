import { z } from 'zod';
import { type Actor, AGENTS, type Agent, type Role } from '../roles.ts';
import { isRecord } from '../text/json-value.ts';
import type { EventDraft, LoggedEvent } from './event.ts';
import { appended, emptyList, itemAt, lowerBound, type PersistentList } from './persistent-collections.ts';

/** The roles that see events of a kind. The owner sees all events. `addressee` is the role that `data.due_to` names. */
export type Audience = 'everyone' | 'moderator' | 'addressee' | 'owner';

export interface EventKind<D extends z.ZodType = z.ZodType> {
  /** Version of `data`. An event whose meaning changes gets a new kind, so it is 1. */
  readonly v: number;
  readonly data: D;
  readonly seenBy: Audience;
  /**
   * Whether events of this kind are entries of the transcript. `standalone`: only events that were not sent inside a
   * turn (`data.in_turn`) are entries.
   */
  readonly message: boolean | 'standalone';
  /** Members of `data` that the transcript leaves out. */
  readonly omit?: readonly string[];
  /** Members of `data` that the owner can read immediately, but agents only after the session has disclosed them. */
  readonly withheld?: readonly string[];
  /** Only the service itself needs events of this kind, so no words say what happened. */
  readonly silent?: true;
}

/** The members of an event that the transcript leaves out. */
type Omitted<T extends EventKind> = T extends { readonly omit: readonly (infer Member)[] } ? Member : never;

/** What an event of a kind contains. Members that the transcript leaves out are optional. */
export type BodyOf<T extends EventKind> = Omit<z.output<T['data']>, 'in_turn' | (Omitted<T> & string)> &
  Partial<z.output<T['data']>>;

export type EventCatalog = Readonly<Record<string, EventKind>>;

export const defineEvents = <const T extends Record<string, EventKind>>(kinds: T): T => kinds;

type Facts = Partial<Omit<EventKind, 'v' | 'data'>>;

const kindOf =
  (usual: Pick<EventKind, 'seenBy' | 'message'>) =>
  <S extends z.ZodRawShape, const F extends Facts = object>(shape: S, facts?: F) => ({
    v: 1,
    ...usual,
    data: z.strictObject(shape),
    ...(facts as F),
  });

/** A kind of event that is an entry of the transcript for everyone, unless `facts` say otherwise. */
export const message = kindOf({ seenBy: 'everyone', message: true });

/** A kind of event that only the owner sees, and that is no entry of the transcript. */
export const ownersOnly = kindOf({ seenBy: 'owner', message: false });

export type EventsOf<T extends EventCatalog> = {
  [K in keyof T & string]: LoggedEvent<K, z.output<T[K]['data']>>;
}[keyof T & string];
export type DraftsOf<T extends EventCatalog> = {
  [K in keyof T & string]: EventDraft<K, z.output<T[K]['data']>>;
}[keyof T & string];

export const isMessage = ({ message }: EventKind, data: unknown): boolean =>
  message === 'standalone' ? memberOf(data, 'in_turn') !== true : message;

export function isSeenBy({ seenBy }: EventKind, data: unknown, role: Role): boolean {
  if (role === 'owner' || seenBy === 'everyone') return true;
  if (seenBy === 'addressee') return memberOf(data, 'due_to') === role;
  return seenBy === role;
}

/** A transcript entry, in the form that the specification gives it. */
export interface Message {
  readonly id: number;
  readonly at: string;
  readonly from: Actor;
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Shows an event as a transcript entry.
 *
 * @param isDisclosed whether to show the members that `withheld` names
 */
export function viewMessage(catalog: EventCatalog, event: LoggedEvent, isDisclosed: boolean): Message {
  const { seq, at, actor, kind, data } = event;
  const { omit = [], withheld = [] } = catalog[kind] ?? {};
  const omitted = new Set(['in_turn', ...omit, ...(isDisclosed ? [] : withheld)]);
  const members = Object.entries(data as object).filter(([name]) => !omitted.has(name));
  return { id: seq, at, from: actor, kind, body: Object.fromEntries(members) };
}

const memberOf = (data: unknown, name: string): unknown =>
  isRecord(data) && Object.hasOwn(data, name) ? data[name] : undefined;

interface MessageRef {
  readonly seq: number;
  readonly hiddenFrom: readonly Agent[];
}

interface Latest {
  /** Id of the latest message that the role sees. */
  readonly seen: number;
  /** Id of the latest message that the role sees and has not written. */
  readonly fromOthers: number;
}

/** The numbers of the events that are messages, and the roles that see each message. The log contains the bodies. */
export interface Transcript {
  readonly messages: PersistentList<MessageRef>;
  readonly latest: Readonly<Record<Role, Latest>>;
}

const NONE: Latest = { seen: 0, fromOthers: 0 };
const EVERYBODY: readonly Agent[] = [];
const READERS: readonly Role[] = [...AGENTS, 'owner'];

export const emptyTranscript: Transcript = {
  messages: emptyList(),
  latest: { agent_a: NONE, agent_b: NONE, moderator: NONE, owner: NONE },
};

export function evolveTranscript(transcript: Transcript, event: LoggedEvent, catalog: EventCatalog): Transcript {
  const kind = catalog[event.kind];
  if (!kind || !isMessage(kind, event.data)) return transcript;
  const hidden = AGENTS.filter((agent) => !isSeenBy(kind, event.data, agent));
  const hiddenFrom = hidden.length === 0 ? EVERYBODY : hidden;
  const latest = { ...transcript.latest };
  for (const role of READERS) {
    if (role === 'owner' || !hiddenFrom.includes(role)) latest[role] = nextLatest(latest[role], event, role);
  }
  return { messages: appended(transcript.messages, { seq: event.seq, hiddenFrom }), latest };
}

const nextLatest = ({ fromOthers }: Latest, { seq, actor }: LoggedEvent, role: Role): Latest => ({
  seen: seq,
  fromOthers: actor === role ? fromOthers : seq,
});

const isShownTo = ({ hiddenFrom }: MessageRef, role: Role): boolean => role === 'owner' || !hiddenFrom.includes(role);

/** Returns the ids of the messages that the role sees and that come after a cursor, oldest first, at most `limit`. */
export function messagesAfter({ messages }: Transcript, role: Role, after: number, limit: number): number[] {
  const found: number[] = [];
  for (
    let index = lowerBound(messages, ({ seq }) => seq > after);
    index < messages.length && found.length < limit;
    index += 1
  ) {
    const ref = itemAt(messages, index);
    if (ref && isShownTo(ref, role)) found.push(ref.seq);
  }
  return found;
}

/** Returns the id of the latest message that the role sees and that is wanted. 0 if there is none. */
export function latestSeen({ messages }: Transcript, role: Role, isWanted: (seq: number) => boolean): number {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const ref = itemAt(messages, index);
    if (ref && isShownTo(ref, role) && isWanted(ref.seq)) return ref.seq;
  }
  return 0;
}
