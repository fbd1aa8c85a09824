import type { Server } from 'node:http';
import { createMemoryStorage, createParley, type Limits, type LimitsOf, type Parley, type Storage } from '@parley/core';
import { type AnsweredRequest, serve } from '@parley/http-host';
import { publicUrls } from '@parley/http-host/program';
import { onTestFinished } from 'vitest';
import { checkKnownKey } from '../src/server/access/owner-key.ts';
import { createOwnerApp, type OwnerAppOptions, PATHS } from '../src/server/owner-app.ts';

export const KEY = `pok_${'k'.repeat(43)}`;
export const OTHER_KEY = `pok_${'o'.repeat(43)}`;

export const SESSION = {
  title: 'Refunds',
  objective: 'A buyer gets the money back within a day.',
  requirements: [{ requirement_id: 'req-1', text: 'No refund is paid twice.' }],
};

export interface RunningApp {
  readonly url: string;
  readonly server: Server;
  readonly parley: Parley;
  readonly requests: readonly AnsweredRequest[];
  readonly errors: readonly unknown[];
  close(): Promise<void>;
}

/** Starts the complete app on a storage in memory. It listens on a free port until the test ends. */
export async function runApp(
  options: Partial<OwnerAppOptions> = {},
  {
    storage = createMemoryStorage(),
    port = 0,
    limitsOf,
    limits = {},
  }: {
    readonly storage?: Storage;
    readonly port?: number;
    readonly limitsOf?: LimitsOf;
    readonly limits?: Partial<Limits>;
  } = {},
): Promise<RunningApp> {
  const { people, publicUrl } = options;
  const mayInvite = people?.mayInvite;
  const parley = await createParley({ storage, limitsOf, limits, mayInvite, paths: PATHS, ...publicUrls(publicUrl) });
  const requests: AnsweredRequest[] = [];
  const errors: unknown[] = [];
  const ownerKey = { check: checkKnownKey(KEY), cookieSecret: new Uint8Array(32).fill(7) };
  const app = createOwnerApp({
    parley,
    storage,
    ownerKey,
    consoleFiles: new Map(),
    log: (request) => requests.push(request),
    onError: (error) => errors.push(error),
    ...options,
  });
  const serving = await serve(app, { host: '127.0.0.1', port, parley, graceMs: 2_000 });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= serving.close().then(() => parley.close()));
  onTestFinished(close);
  return { url: serving.url, server: serving.server, parley, requests, errors, close };
}
