import { randomBytes } from 'node:crypto';
import { createParley, type Owner, openPeople, type Parley, type People, type Storage } from '@parley/core';
import { serve } from '@parley/http-host';
import {
  createOwnerApp,
  makeOwnerKey,
  OWNER_ID,
  type OwnerAppOptions,
  openOwnerKey,
  readConsole,
} from '@parley/owner-app';
import { inject, onTestFinished } from 'vitest';

export const OWNER_KEY = `pok_${'b'.repeat(43)}`;
const LIMITS = { perToken: 1_000_000, perAddress: 1_000_000, redeemPerAddress: 1_000_000, perPerson: 1_000_000 };

/** The application with its console. It listens until the test ends. */
export interface Site {
  readonly url: string;
  readonly parley: Parley;
  readonly owner: Owner;
  /** Errors that the application reported to `onError`. */
  readonly failures: unknown[];
  /** Closes every open connection. The server still accepts new connections. */
  cut(): void;
  /** Stops the server as a crash does: closes every connection in the middle of its answers. */
  die(): Promise<void>;
}

interface SiteOptions {
  readonly port?: number;
  /** Returns the time that determines when a sign-in expires, in milliseconds since the epoch. */
  readonly now?: () => number;
  readonly redeemPerAddress?: number;
  readonly app?: Partial<OwnerAppOptions>;
}

export async function openSite(storage: Storage, options: SiteOptions = {}): Promise<Site> {
  const { redeemPerAddress = LIMITS.redeemPerAddress, ...listening } = options;
  const failures: unknown[] = [];
  const onError = (error: unknown): void => void failures.push(error);
  const parley = await createParley({ storage, limits: { ...LIMITS, redeemPerAddress }, onFailure: onError });
  const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
  onTestFinished(() => people.close());
  const site = await listen({ parley, storage, people, failures, ...listening });
  const die = (): Promise<void> => site.die().then(() => parley.close());
  onTestFinished(die);
  return { ...site, die };
}

interface Listening {
  readonly parley: Parley;
  readonly storage?: Pick<Storage, 'health'>;
  readonly people?: People;
  readonly port?: number;
  readonly failures?: unknown[];
  /** Id of the owner whose sessions the application serves. */
  readonly ownerId?: string;
  readonly now?: () => number;
  readonly app?: Partial<OwnerAppOptions>;
}

let filesKept: ReturnType<typeof readConsole> | undefined;

/** The files of the console, which are read and compressed once for each worker: compressing takes half a second. */
const consoleFiles = (): ReturnType<typeof readConsole> => (filesKept ??= readConsole(inject('consoleFolder')));

const HEALTHY = { health: async () => {} };

/** Serves an open Parley. The caller closes the Parley. */
export async function listen(listening: Listening): Promise<Site> {
  const { parley, storage = HEALTHY, people, port = 0, failures = [], ownerId = OWNER_ID, now = Date.now } = listening;
  const { app: further = {} } = listening;
  const owner = parley.owner(ownerId);
  const app = createOwnerApp({
    parley: { ...parley, owner: (_id, acting) => parley.owner(ownerId, acting) },
    storage,
    ...(people ? { people } : {}),
    ownerKey: await openOwnerKey('', OWNER_KEY),
    consoleFiles: consoleFiles(),
    onError: (error) => void failures.push(error),
    now,
    ...further,
  });
  const { server, url } = await serve(app, { host: '127.0.0.1', port, parley });
  let dying: Promise<void> | undefined;
  const die = (): Promise<void> => {
    dying ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return dying;
  };
  onTestFinished(die);
  return { url, parley, owner, failures, cut: () => server.closeAllConnections(), die };
}
