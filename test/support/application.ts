import type { Server } from 'node:http';
import { createMemoryStorage, createParley, type ParleyOptions, type Storage } from '@parley/core';
import { serve } from '@parley/http-host';
import { createOwnerApp, OWNER_ID, openOwnerKey } from '@parley/owner-app';
import type { Inside } from './join-session.ts';

export const OWNER_KEY = `pok_${'k'.repeat(43)}`;

/** What `npm start` serves, in the process of the test: agents over REST and MCP, and the owner API. */
export interface Application extends Inside {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  readonly storage: Storage;
  /** Errors that were answered with INTERNAL, and errors in the middle of an answer. */
  readonly failures: unknown[];
  /** The head of every log. A call stored nothing if the heads before and after the call are equal. */
  heads(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Opens the application on a free port. If `options` contain a storage, the caller must close the storage. */
export async function openApplication(options: Partial<ParleyOptions> = {}): Promise<Application> {
  const { storage = createMemoryStorage() } = options;
  const failures: unknown[] = [];
  const fail = (cause: unknown): void => void failures.push(cause);
  const parley = await createParley({ onFailure: fail, ...options, storage });
  const ownerKey = await openOwnerKey('', OWNER_KEY);
  const app = createOwnerApp({ parley, storage, ownerKey, onError: fail });
  const { url, server, close } = await serve(app, { host: '127.0.0.1', port: 0, parley, graceMs: 500 });
  return {
    ...{ url, server, parley, storage, failures },
    owner: parley.owner(OWNER_ID),
    port: Number(new URL(url).port),
    heads: () => readHeads(storage),
    close: () => close().then(() => parley.close()),
  };
}

async function readHeads(storage: Storage): Promise<readonly string[]> {
  const sessions = await storage.list(OWNER_ID, { limit: 200 });
  const news = sessions.map(async ({ sessionId }) => {
    const found = await storage.fetch(sessionId, 1_000_000);
    return `${sessionId} ${found?.head.seq} ${found?.head.hash}`;
  });
  return await Promise.all(news);
}
