import { z } from 'zod';
import { MESSAGE_PAGE_CHARS, MESSAGES_PER_PAGE } from '../../kernel/limits.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { type EventCatalog, isMessage, isSeenBy, type Message, viewMessage } from '../../kernel/log/event-catalog.ts';
import { messagesAfter } from '../../kernel/log/transcript.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { Role } from '../../kernel/roles.ts';
import { sessionCatalog } from '../catalog.ts';
import { ActorName, At, MessageCursor } from '../fields.ts';
import { areAnswersShown } from '../readiness/rules.ts';
import type { SessionState } from '../state.ts';

export const MessagePage = z.strictObject({
  messages: z.array(
    z.strictObject({
      id: MessageCursor,
      at: At,
      from: ActorName,
      kind: z.string(),
      body: z.record(z.string(), z.unknown()),
    }),
  ),
  next_cursor: MessageCursor.describe('The value of after for the next page; unchanged when there was nothing new.'),
  more: z.boolean(),
});
documented.add(MessagePage, { id: 'MessagePage' });

export const pageSeqs = ({ transcript }: SessionState, role: Role, after: number): number[] =>
  messagesAfter(transcript, role, after, MESSAGES_PER_PAGE);

/** Shows a page of at most 50 messages and 60,000 characters, but at least one message if any follows `after`. */
export function viewPage(
  state: SessionState,
  role: Role,
  after: number,
  loaded: readonly LoggedEvent[],
): z.output<typeof MessagePage> {
  const shown = loaded.filter((event) => isShownTo(event, role));
  const messages = fitting(
    shown.map((event) => viewMessage(sessionCatalog, event, areAnswersShown(state, role, event.seq))),
  );
  const next_cursor = messages.at(-1)?.id ?? after;
  return {
    messages: messages.map((message) => ({ ...message, body: { ...message.body } })),
    next_cursor,
    more: state.transcript.latest[role].seen > next_cursor,
  };
}

/**
 * Whether a loaded event is a message that the role may see. After a failover, another event can have the number of a
 * selected message.
 */
function isShownTo({ kind, data }: LoggedEvent, role: Role): boolean {
  const kinds: EventCatalog = sessionCatalog;
  const known = kinds[kind];
  return known !== undefined && isMessage(known, data) && isSeenBy(known, data, role);
}

function fitting(messages: readonly Message[]): readonly Message[] {
  let chars = 0;
  const overflow = messages.findIndex((message, index) => {
    chars += JSON.stringify(message).length;
    return index > 0 && chars > MESSAGE_PAGE_CHARS;
  });
  return overflow === -1 ? messages : messages.slice(0, overflow);
}
