import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import {
  type Database,
  nameless,
  onOneConnection,
  rehearse,
  type ServerOptions,
  serverOf,
  settle,
} from './database/database.ts';
import { tablesIn } from './database/tables.ts';
import type { HintLink } from './hints/hints.ts';
import { openPostgresHintLink } from './hints/postgres-hint-link.ts';
import { readSchemaStatus } from './migrations/schema-version.ts';
import { createSession, listSessions } from './sql/sessions.ts';

const CONNECT_MS = 5_000;
const ANSWER_MS = 5_000;
const ARRIVAL_MS = 2_000;
const NAME = 'parley doctor';
const PID = 'select pg_backend_pid() as pid';

/** Reads facts about a database for operators. It writes nothing. */
export interface PostgresInspection {
  rows(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * Whether there is a pooler that may use another server connection for a client's next statement, as PgBouncer does
   * in transaction mode.
   */
  isPooled(): Promise<boolean>;
  /** Whether a named prepared statement still exists after other clients have used the pooler. */
  keepsPrepared(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens two connections to the database. A pooler is detected by the behaviour of the first connection while the second
 * connection is in a transaction.
 *
 * @throws Error of the driver if the database cannot be reached
 */
export async function inspectPostgres(connectionString: string): Promise<PostgresInspection> {
  const first = await connected(connectionString);
  const second = await connected(connectionString).catch(async (error: unknown) => {
    await first.end();
    throw error;
  });
  const pidOf = async (client: Client): Promise<unknown> => (await client.query(PID)).rows[0]?.pid;

  /**
   * Runs work while the second connection is inside a transaction. A pooler cannot give the server connection of this
   * transaction to the first connection meanwhile.
   */
  async function whileHeld<T>(work: (heldPid: unknown) => Promise<T>): Promise<T> {
    await second.query('begin read only');
    try {
      return await work(await pidOf(second));
    } finally {
      await second.query('rollback');
    }
  }

  return {
    rows: async (text, values = []) => (await first.query<Record<string, unknown>>(text, [...values])).rows,
    async isPooled() {
      const pid = await pidOf(first);
      return whileHeld(async (heldPid) => heldPid === pid || (await pidOf(first)) !== pid);
    },
    async keepsPrepared() {
      const prepared = { name: `parley_doctor_${randomBytes(6).toString('hex')}`, text: 'select 1' };
      await first.query(prepared);
      return whileHeld(() =>
        first.query(prepared).then(
          () => true,
          () => false,
        ),
      );
    },
    async close() {
      await Promise.allSettled([first.end(), second.end()]);
    },
  };
}

/**
 * Sends two hints together from one connection to another, as processes do, on a channel that no other program uses.
 *
 * @returns whether they arrived within two seconds
 * @throws Error of the driver if the database cannot be reached
 */
export async function deliversNotify(connectionString: string): Promise<boolean> {
  const channel = `parley_doctor_${randomBytes(6).toString('hex')}`;
  const closing = new AbortController();
  const links: HintLink[] = [];
  const open = async (onPayload: (payload: string) => void): Promise<HintLink> => {
    const link = await openPostgresHintLink({ connectionString, fallback_application_name: NAME }, channel, onPayload);
    links.push(link);
    return link;
  };
  try {
    let onSecond = (): void => undefined;
    const arrived = new Promise<true>((resolve) => {
      onSecond = () => resolve(true);
    });
    await open((payload) => payload === 'second' && onSecond());
    const sender = await open(() => undefined);
    await sender.notify(['first', 'second']);
    return await Promise.race([arrived, pause(ARRIVAL_MS, false, { signal: closing.signal })]);
  } finally {
    closing.abort();
    await Promise.all(links.map((link) => link.untilLost(closing.signal)));
  }
}

async function connected(connectionString: string): Promise<Client> {
  const named = { connectionString, connectionTimeoutMillis: CONNECT_MS, fallback_application_name: NAME };
  const client = new Client({ ...(await settle(named)), query_timeout: ANSWER_MS });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * Creates a session, lists it and rolls back, on a connection like those of the storage. Stores nothing.
 *
 * @returns false if it was left out, because Citus distributes the tables
 * @throws StorageUnavailable if the database cannot be reached or accepts no writes
 * @throws Error if the session cannot be created or listed
 */
export async function rehearsePostgres(options: ServerOptions & { readonly schema?: string }): Promise<boolean> {
  return onOneConnection(nameless(await serverOf(options)), tablesIn(options.schema ?? 'public'), rehearseSession);
}

async function rehearseSession(database: Database): Promise<boolean> {
  const { shards } = await readSchemaStatus(database);
  if (shards > 0) return false;
  const id = `rehearsal-${randomBytes(8).toString('hex')}`;
  const listing = { title: id, status: 'DRAFT', phase: 'PLANNING', createdAt: '2026-01-02T03:04:05.678Z' };
  await rehearse(database, async (rehearsal) => {
    await createSession(rehearsal, { session: { sessionId: id, ownerId: id, listing }, events: [], documents: [] });
    const [listed] = await listSessions(rehearsal, id, { limit: 1 });
    if (listed?.createdAt !== listing.createdAt)
      throw new Error(`A session of ${listing.createdAt} is listed with the time ${listed?.createdAt}.`);
  });
  return true;
}
