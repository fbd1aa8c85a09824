import { createParley, type Owner, type Parley, type Storage } from '@parley/core';
import { serve } from '@parley/http-host';
import { createOwnerApp, OWNER_ID, openOwnerKey, readConsole } from '@parley/owner-app';
import { inject, onTestFinished } from 'vitest';

export const OWNER_KEY = `pok_${'b'.repeat(43)}`;
const LIMITS = { perToken: 1_000_000, perAddress: 1_000_000, redeemPerAddress: 1_000_000 };

/** The whole application with its console; listens until the test ends. */
export interface Site {
  readonly url: string;
  readonly parley: Parley;
  /** The owner, in process. */
  readonly owner: Owner;
  /** Errors answered with INTERNAL, and answers that broke off. */
  readonly failures: unknown[];
  /** Closes every connection; new ones are accepted. */
  cut(): void;
  /** Stops the server as a crash would: closes every connection without draining. */
  die(): Promise<void>;
}

interface SiteOptions {
  /** 0 uses a free port. */
  readonly port?: number;
  /** The clock of sign-ins, milliseconds since the epoch. */
  readonly now?: () => number;
  readonly redeemPerAddress?: number;
}

export async function openSite(storage: Storage, options: SiteOptions = {}): Promise<Site> {
  const { redeemPerAddress = LIMITS.redeemPerAddress, ...listening } = options;
  const failures: unknown[] = [];
  const onError = (error: unknown): void => void failures.push(error);
  const parley = await createParley({ storage, limits: { ...LIMITS, redeemPerAddress }, onFailure: onError });
  const site = await listen({ parley, storage, failures, ...listening });
  const die = (): Promise<void> => site.die().then(() => parley.close());
  onTestFinished(die);
  return { ...site, die };
}

interface Listening {
  readonly parley: Parley;
  /** Used by health checks only. */
  readonly storage?: Pick<Storage, 'health'>;
  readonly port?: number;
  readonly failures?: unknown[];
  /** The owner whose sessions the key opens. */
  readonly ownerId?: string;
  readonly now?: () => number;
}

const HEALTHY = { health: async () => {} };

/** Serves an existing Parley, which the caller closes. */
export async function listen(listening: Listening): Promise<Site> {
  const { parley, storage = HEALTHY, port = 0, failures = [], ownerId = OWNER_ID, now = Date.now } = listening;
  const owner = parley.owner(ownerId);
  const app = createOwnerApp({
    parley: { ...parley, owner: () => owner },
    storage,
    ownerKey: await openOwnerKey('', OWNER_KEY),
    consoleFiles: readConsole(inject('consoleFolder')),
    onError: (error) => void failures.push(error),
    now,
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
