import { createHash, randomBytes } from 'node:crypto';
import type { Storage } from '@parley/core';
import pg from 'pg';
import { mintSecret, randomText, SESSION_ID_CHARS } from '../../../packages/core/src/kernel/token/token.ts';

export interface ManySeat {
  readonly sessionId: string;
  readonly token: string;
}

interface Copied {
  readonly databaseUrl: string;
  readonly storage: Storage;
  readonly from: ManySeat;
  readonly count: number;
}

const AT_ONCE = 500;

/** Copies a session `count` times with SQL. Each copy has its own id and token, and its log can be verified. */
export async function copySession({ databaseUrl, storage, from, count }: Copied): Promise<ManySeat[]> {
  const key = await storage.secret();
  const bodies = (await storage.events(from.sessionId, 1, 500)).map(({ body }) => body);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const seats: ManySeat[] = [];
  try {
    while (seats.length < count) {
      const copies = Array.from({ length: Math.min(AT_ONCE, count - seats.length) }, () => copyOf(bodies, from, key));
      await insert(client, from.sessionId, copies);
      seats.push(...copies.map(({ seat }) => seat));
    }
    await client.query('analyze');
  } finally {
    await client.end();
  }
  return seats;
}

interface Copy {
  readonly seat: ManySeat;
  readonly events: readonly { readonly seq: number; readonly hash: string; readonly body: string }[];
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function copyOf(bodies: readonly string[], from: ManySeat, key: string): Copy {
  const sessionId = randomText(randomBytes, SESSION_ID_CHARS);
  const { text: token, hash: tokenHash } = mintSecret('prt_', sessionId, randomBytes, key);
  const oldTokenHash = sha256(from.token);
  let [oldHash, newHash] = ['', ''];
  const events = bodies.map((old, index) => {
    const renamed = old.replaceAll(from.sessionId, sessionId).replaceAll(oldTokenHash, tokenHash);
    const body = oldHash === '' ? renamed : renamed.replace(oldHash, newHash);
    [oldHash, newHash] = [sha256(old), sha256(body)];
    return { seq: index + 1, hash: newHash, body };
  });
  return { seat: { sessionId, token }, events };
}

async function insert(client: pg.Client, original: string, copies: readonly Copy[]): Promise<void> {
  const rows = copies.flatMap(({ seat, events }) => events.map((event) => ({ ...event, id: seat.sessionId })));
  await client.query(
    `insert into parley_event (session_id, seq, hash, body)
     select * from unnest($1::text[], $2::int[], $3::text[], $4::text[])`,
    [rows.map(({ id }) => id), rows.map(({ seq }) => seq), rows.map(({ hash }) => hash), rows.map(({ body }) => body)],
  );
  await client.query(
    `insert into parley_session (session_id, owner_id, title, status, phase, created_at, seq, hash)
     select n.id, s.owner_id, s.title, s.status, s.phase, s.created_at, s.seq, n.hash
     from unnest($2::text[], $3::text[]) as n(id, hash), parley_session s where s.session_id = $1`,
    [original, copies.map(({ seat }) => seat.sessionId), copies.map(({ events }) => events.at(-1)?.hash)],
  );
}
