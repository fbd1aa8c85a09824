import { createParley, type Owner, type Storage } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import { storedFeed } from '../../processes/support/moderator.ts';
import { OWNER, type TortureSeats } from '../support/company.ts';

/** An event of the log, and the key of the write that caused the event. */
interface StoredEvent {
  readonly seq: number;
  /** A key such as `turn:a-17`. Null if no client of the load caused the event. */
  readonly key: string | null;
}

/** A session as a new process reads it. */
export interface StoredSession {
  readonly sessionId: string;
  readonly events: readonly StoredEvent[];
  /** Ids of the messages that the builders can read. */
  readonly messages: readonly number[];
  /** Ids of the events that the moderator can read. */
  readonly feed: readonly number[];
  /** The fault that `verifyLog` reports, or null. */
  readonly broken: string | null;
}

export async function readStored(url: string, everybody: readonly TortureSeats[]): Promise<StoredSession[]> {
  const storage = await createPostgresStorage({ connectionString: url });
  const parley = await createParley({ storage });
  const owner = parley.owner(OWNER);
  const sessions: StoredSession[] = [];
  for (const { agent_a } of everybody) {
    const { sessionId, token } = agent_a;
    const agent = parley.agent(token);
    const readPage = async (after: number) => (await agent.call('read_messages', { after })) as Transcript;
    const { messages, fault } = await collect(readPage);
    const broken = (await verify(owner, sessionId)) ?? fault;
    const feed = (await storedFeed({ storage }, sessionId)).map((label) => Number(label.split(' ')[0]));
    sessions.push({ sessionId, events: await readEvents(storage, sessionId), messages, feed, broken });
  }
  await parley.close();
  await storage.close();
  return sessions;
}

async function verify(owner: Owner, sessionId: string): Promise<string | null> {
  const report = await owner.verifyLog(sessionId).catch(textOf);
  return typeof report === 'string' ? report : report.ok ? null : JSON.stringify(report);
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface Transcript {
  readonly messages: readonly { readonly id: number }[];
  readonly next_cursor: number;
}

async function collect(readPage: (after: number) => Promise<Transcript>) {
  const messages: number[] = [];
  try {
    for (let after = 0; ; ) {
      const page = await readPage(after);
      if (page.messages.length === 0) return { messages, fault: null };
      messages.push(...page.messages.map(({ id }) => id));
      after = page.next_cursor;
    }
  } catch (error) {
    return { messages, fault: `the transcript cannot be read: ${textOf(error)}` };
  }
}

async function readEvents(storage: Storage, sessionId: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (let from = 1; ; from += 500) {
    const stored = await storage.events(sessionId, from, from + 499);
    events.push(...stored.map(({ seq, body }) => ({ seq, key: keyOf(JSON.parse(body)) })));
    if (stored.length < 500) return events;
  }
}

interface EventText {
  readonly kind: string;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function keyOf({ kind, actor, data }: EventText): string | null {
  if (kind === 'turn.posted') return `turn:${data.summary}`;
  if (kind === 'decision.proposed') return `decision:${data.topic}`;
  if (kind === 'decision.accepted') return `acceptance:${data.decision_id}:${actor}`;
  return null;
}
