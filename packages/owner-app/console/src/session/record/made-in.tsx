import { useMemo } from 'preact/hooks';
import { recordTypeOf } from '../../../../src/text/records/record-types.ts';
import type { Message } from '../../../../src/transcript/message.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { toMessage } from '../../state/route.ts';
import { closeSheet } from '../../state/side-panel.ts';
import { Link } from '../../ui/text/link.tsx';
import { createTranscript } from '../transcript/entries.ts';
import { indexAt } from '../transcript/position.ts';
import { useAllEvents } from '../use-all-events.ts';

/**
 * Returns the event that created a record: the first event about the record. Undefined if that event is not loaded yet.
 */
function firstEventOf(events: readonly Message[], id: string): Message | undefined {
  const member = `${recordTypeOf(id) ?? ''}_id`;
  return events.find(
    ({ kind, body }) =>
      Object.entries(body).some(([name, value]) => name === member && value === id) ||
      (kind === 'review.submitted' && body.findings?.includes(id)),
  );
}

/** A link to the message that created a record, such as the turn that proposed a decision. */
export function MadeIn({ live, id }: { readonly live: LiveSession; readonly id: string }) {
  const hasAll = useAllEvents(live);
  const read = useMemo(createTranscript, [live]);
  if (!hasAll) return <p class="waiting">Looking for the message that created this record…</p>;
  const event = firstEventOf(live.events.value, id);
  if (!event) return null;
  const entries = read(live.events.value);
  const message = entries[indexAt(entries, event.id)];
  if (!message) return null;
  return (
    <p class="made-in">
      <Link
        to={toMessage(live.sessionId, message.id)}
        onFollow={closeSheet}
      >{`Go to message #${message.id}, which created this record`}</Link>
    </p>
  );
}
