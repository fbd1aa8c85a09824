import type { Agent, Json } from '@parley/missions';
import type { Page } from '../record.ts';
import type { Outcome } from './caller.ts';
import { type Client, callAs, callUntilSaid, comeAgain, numberIn, rest } from './scene.ts';

const IDLE_MS = 400;

/** Reads the transcript with a cursor until the run ends. Makes other reads in between. */
export async function readTranscript(client: Client, role: Agent): Promise<void> {
  const reader = `${client.name} transcript of ${role}`;
  for (let after = 0; ; ) {
    const hasStopped = client.ending.aborted;
    const outcome = await callAs(client, role, { tool: 'read_messages', input: { after } });
    if (outcome.kind === 'answered') {
      const page = pageOf(reader, 'messages', outcome.body, { after, atLeast: after });
      client.session.pages.push(page);
      after = page.next;
      if (page.ids.length > 0) continue;
      if (hasStopped) return;
      await lookAround(client, role);
    } else await comeAgain(client, outcome);
    await rest(client.draws.whole(IDLE_MS / 2, IDLE_MS), client.ending);
  }
}

async function lookAround(client: Client, role: Agent): Promise<void> {
  const tool = client.draws.oneOf(['read_session_state', 'read_task', 'list_decisions']);
  const outcome = await callAs(client, role, { tool });
  if (outcome.kind === 'answered' && tool === 'read_session_state') noteLook(client, role, outcome);
}

function noteLook({ session }: Client, by: Agent, { body, sentAt, at }: Extract<Outcome, { kind: 'answered' }>): void {
  session.looks.push({ by, isHeld: false, after: 0, sentAt, at, head: numberIn(body, 'cursor') });
}

/**
 * Plays a moderator that keeps its cursor itself. Reads page after page, waiting for new events, until the last event.
 */
export async function followEvents(client: Client): Promise<void> {
  const { session, draws, ending } = client;
  for (let after = 0; ; ) {
    const wait = ending.aborted ? 0 : 25;
    const input = { after, limit: draws.whole(1, 100), ...(wait && { wait }) };
    const outcome = await callAs(client, 'moderator', {
      ...{ tool: 'get_session_events', input },
      ...(wait ? { signal: ending } : {}),
    });
    const { sentAt, at } = outcome;
    const look = { by: 'moderator', isHeld: true, after, sentAt, at } as const;
    if (outcome.kind === 'left') session.looks.push({ ...look, head: null });
    if (outcome.kind !== 'answered') {
      await comeAgain(client, outcome);
      continue;
    }
    session.looks.push({ ...look, head: numberIn(outcome.body, 'head') });
    const page = pageOf(`${client.name} events`, 'events', outcome.body, { after, atLeast: after });
    session.pages.push(page);
    after = page.next;
    if (!wait && page.ids.length === 0) return;
  }
}

/** Plays a moderator whose cursor the service stores. Reads and acknowledges page after page until the last event. */
export async function acknowledgeEvents(client: Client): Promise<void> {
  const { session, ending } = client;
  for (let atLeast = 0; ; ) {
    const hasStopped = ending.aborted;
    const outcome = hasStopped
      ? await callAs(client, 'moderator', { tool: 'get_session_events' })
      : await callAs(client, 'moderator', {
          ...{ tool: 'wait_for_activity', input: { wait_seconds: 25 } },
          ...{ over: 'mcp', signal: ending },
        });
    if (outcome.kind !== 'answered') {
      await comeAgain(client, outcome);
      continue;
    }
    const after = numberIn(outcome.body, 'acked_cursor');
    const page = pageOf(`${client.name} acknowledged events`, 'events', outcome.body, { after, atLeast });
    session.pages.push(page);
    if (page.ids.length === 0 && hasStopped) return;
    if (page.ids.length > 0) atLeast = await acknowledge(client, page.next, after);
    await rest(IDLE_MS, ending);
  }
}

/**
 * Acknowledges `cursor`. Repeats the idempotent call until it is answered or the run ends. Returns the acknowledged
 * cursor, or `before` if there was no answer.
 */
async function acknowledge(client: Client, cursor: number, before: number): Promise<number> {
  const outcome = client.ending.aborted
    ? await callAs(client, 'moderator', { tool: 'ack_events', input: { cursor } })
    : await callUntilSaid(client, 'moderator', { tool: 'ack_events', input: { cursor } });
  return outcome?.kind === 'answered' ? cursor : before;
}

type Behind = Pick<Page, 'after' | 'atLeast'>;

function pageOf(reader: string, of: Page['of'], body: Json, behind: Behind): Page {
  const items: readonly Json[] = of === 'messages' ? listIn(body.messages) : listIn(body.events);
  return { reader, of, ...behind, ids: items.map(({ id }) => Number(id)), next: numberIn(body, 'next_cursor') };
}

const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
