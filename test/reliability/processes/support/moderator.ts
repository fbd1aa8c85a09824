import type { Json } from '@parley/missions';
import { type Ask, ask, send } from './ask.ts';
import type { HostProcess } from './host-process.ts';
import type { Scene } from './scene.ts';

/** Session id and token of a moderator. The token is valid at every host. */
export type ModeratorSeat = Ask['seat'];

export async function seatModerator({ owner }: Scene, host: HostProcess, sessionId: string): Promise<ModeratorSeat> {
  const { code } = await owner.invite(sessionId, { role: 'moderator' });
  const { body } = await send(`${host.baseUrl}/invitations/redeem`, { method: 'POST', body: JSON.stringify({ code }) });
  return { sessionId, token: String(body.token) };
}

export interface FeedPage {
  readonly events: readonly Json[];
  readonly next: number;
  readonly acked: number;
  readonly head: number;
}

/** Reads a page of the feed. `query` is the query of the request, such as `after=3&wait=25`. */
export async function readFeed(host: HostProcess, seat: ModeratorSeat, query: string): Promise<FeedPage> {
  const { status, text, body } = await ask({ host, seat, route: `GET events?${query}` });
  if (status !== 200) throw new Error(`events: ${status} ${text}`);
  return feedPage(body);
}

export const feedPage = ({ events, next_cursor, acked_cursor, head }: Json): FeedPage => ({
  events: Array.isArray(events) ? events : [],
  next: Number(next_cursor),
  acked: Number(acked_cursor),
  head: Number(head),
});

/** Makes a label such as `7 turn.posted`, for comparing a feed with the log. */
export const labelOf = ({ id, kind }: Json): string => `${id} ${kind}`;

/** `HIDDEN`: kinds of events never in the feed. `DUE`: kinds in the feed only if the moderator must do the action. */
const HIDDEN = /^(session\.created|invitation\..*|access\..*|moderator\..*|entitlement\..*|events\.acknowledged)$/;
const DUE = /^action\.(opened|acknowledged|fulfilled)$/;

/** Labels of the logged events that the feed must contain. */
export async function storedFeed({ storage }: Pick<Scene, 'storage'>, sessionId: string): Promise<string[]> {
  const labels: string[] = [];
  for (let from = 1; ; from += 500) {
    const stored = await storage.events(sessionId, from, from + 499);
    for (const { body } of stored) {
      const { seq, kind, data } = JSON.parse(body);
      if (!HIDDEN.test(kind) && !(DUE.test(kind) && data.due_to !== 'moderator')) labels.push(`${seq} ${kind}`);
    }
    if (stored.length < 500) return labels;
  }
}
