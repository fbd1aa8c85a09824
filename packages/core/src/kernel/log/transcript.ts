import { AGENTS, type Agent, type Role } from '../roles.ts';
import type { LoggedEvent } from './event.ts';
import { type EventCatalog, isMessage, isSeenBy } from './event-catalog.ts';
import { appended, emptyList, itemAt, lowerBound, type PersistentList } from './persistent-collections.ts';

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
