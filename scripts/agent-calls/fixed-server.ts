import { createHash } from 'node:crypto';
import { type Clock, createMemoryStorage, createParley, type Owner, systemClock } from '@parley/core';
import { serve } from '@parley/http-host';
import { createOwnerApp, OWNER_ID, openOwnerKey } from '@parley/owner-app';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** A running server with ids, hashes and times that are the same in every run. */
export interface FixedServer {
  readonly owner: Owner;
  send(request: Request): Promise<Reply>;
  /** Resolves when this many polls are waiting at the server. */
  untilHeld(polls: number): Promise<void>;
  close(): Promise<void>;
}

const START = Date.parse('2026-11-02T09:00:00.000Z');
const AT: Clock = { now: () => START, after: systemClock.after };

export async function openFixedServer(): Promise<FixedServer> {
  const storage = createMemoryStorage({ now: AT.now });
  const parley = await createParley({ storage, clock: AT, random: countedBytes() });
  const app = createOwnerApp({ parley, storage, ownerKey: await openOwnerKey('', `pok_${'k'.repeat(43)}`) });
  const serving = await serve(app, { host: '127.0.0.1', port: 0, parley });
  return {
    owner: parley.owner(OWNER_ID),
    async send({ method, path, body, headers = {} }) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${serving.url}${path}`, { method, headers, ...sent });
      return { status: response.status, text: await response.text() };
    },
    async untilHeld(polls) {
      while (parley.heldPolls() < polls) await new Promise(setImmediate);
    },
    async close() {
      await serving.close();
      await parley.close();
    },
  };
}

/**
 * Creates a source of bytes that are the same in every run. Use it only for generated documents, because anybody can
 * compute the tokens that are made from these bytes.
 */
function countedBytes(): (length: number) => Uint8Array {
  let calls = 0;
  return (outputLength) => {
    calls += 1;
    return createHash('shake256', { outputLength }).update(String(calls)).digest();
  };
}
