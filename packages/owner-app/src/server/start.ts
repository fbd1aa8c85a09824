import { createParley, type Storage } from '@parley/core';
import { serve } from '@parley/http-host';
import {
  createPgliteStorage,
  createPostgresStorage,
  createRedisHints,
  type HintBroker,
  type HintsWatcher,
} from '@parley/storage-pg';
import { openOwnerKey } from '../access/key-folder.ts';
import { startNotifier } from '../notify/notifier.ts';
import { databaseFolder, type Settings } from '../settings/settings.ts';
import { type Log, logRequest } from './log.ts';
import { createOwnerApp, OWNER_ID } from './owner-app.ts';

/** A server that accepts requests. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:4100`. */
  readonly url: string;
  /** The owner key in plain, on the start that made it. */
  readonly madeKey: string | undefined;
  /**
   * Answers what is under way, then closes the storage.
   *
   * @param noticeMs how long new requests are told to come again before the port is closed (default 0)
   */
  close(noticeMs?: number): Promise<void>;
}

/** Opens the storage, the owner key and the port, in this order; closes again what was open when one of them fails. */
export async function startServer(settings: Settings, log: Log): Promise<RunningServer> {
  const storage = await openStorage(settings, (standing) => logHints(log, standing));
  try {
    return await startOn(storage, settings, log);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** The same on a storage that is open; the server closes it. */
export async function startOn(storage: Storage, settings: Settings, log: Log): Promise<RunningServer> {
  const { publicUrl, trustedProxies, pathTokens, host, port, webhook } = settings;
  const ownerKey = await openOwnerKey(settings.dataFolder, settings.ownerKey);
  const parley = await createParley({
    storage,
    limits: settings.limits,
    sharedLimits: settings.sharedLimits,
    onFailure: (cause, traceId) => log.error({ err: cause, trace_id: traceId }, 'a request failed'),
    ...(publicUrl
      ? { publicUrls: { baseUrl: `${publicUrl}/api/public/agent`, mcpUrl: `${publicUrl}/api/public/mcp` } }
      : {}),
  });
  let isDraining = false;
  const app = createOwnerApp({
    parley,
    storage,
    ownerKey,
    publicUrl,
    trustedProxies,
    pathTokens,
    log: (request) => logRequest(log, request),
    onError: (error) => log.error({ err: error }, 'an answer broke off'),
    isDraining: () => isDraining,
  });
  const serving = await serve(app, { host, port, parley }).catch(async (error: unknown) => {
    await parley.close();
    throw error;
  });
  const pageOf = (sessionId: string): string => `${publicUrl ?? serving.url}/owner/sessions/${sessionId}`;
  const notifier = webhook && startNotifier({ owner: parley.owner(OWNER_ID), webhook, pageOf, log });
  return {
    url: serving.url,
    madeKey: ownerKey.made,
    async close(noticeMs) {
      isDraining = true;
      await serving.close(noticeMs);
      await notifier?.close();
      await parley.close();
      await storage.close();
    },
  };
}

/** Brings the tables up to date as well. */
export async function openStorage(settings: Settings, onHints?: HintsWatcher): Promise<Storage> {
  const { databaseUrl: connectionString, pgDirectUrl, pgPrepared: isPrepared, pgPool, pgGroupMax } = settings;
  if (!connectionString) return createPgliteStorage({ folder: databaseFolder(settings) });
  return createPostgresStorage({
    connectionString,
    isPrepared,
    poolMax: pgPool,
    groupMax: pgGroupMax,
    hints: await hintsOf(settings),
    ...(pgDirectUrl ? { hintConnectionString: pgDirectUrl } : {}),
    ...(onHints ? { onHints } : {}),
  });
}

const hintsOf = async ({ hints, redisUrl }: Settings): Promise<'notify' | 'off' | HintBroker> =>
  hints === 'redis' ? createRedisHints(redisUrl ?? '') : hints;

/** Without hints nothing fails, so nothing but this says that agents wait longer. */
function logHints(log: Log, { isLinked, cause }: Parameters<HintsWatcher>[0]): void {
  if (isLinked) log.info('hints between processes travel');
  else log.warn({ err: cause }, 'no hints between processes: agents hear of other processes after up to ten seconds');
}
