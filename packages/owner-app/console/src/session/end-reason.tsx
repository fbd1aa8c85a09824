import type { LiveSession } from '../state/live-session.ts';
import { Badge } from '../ui/text/shown.tsx';

/** Shows whether an ended session was completed or cancelled. Renders nothing until the event of the end is loaded. */
export function EndReason({ live }: { readonly live: LiveSession }) {
  const end = live.events.value.findLast((event) => event.kind === 'session.ended');
  const reason = end?.body.end_reason;
  return reason && <Badge tone={reason === 'COMPLETED' ? 'good' : 'warn'}>{reason}</Badge>;
}
