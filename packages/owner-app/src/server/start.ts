import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheSizes, createParley, openPeople, type Parley, type People, type Storage } from '@parley/core';
import { serve } from '@parley/http-host';
import { type Log, logRequest, opening, publicUrls } from '@parley/http-host/program';
import {
  createPgliteStorage,
  createPostgresStorage,
  createRedisHints,
  type GroupListener,
  type HintsWatcher,
} from '@parley/storage-pg';
import { type OwnerKey, openOwnerKey } from './access/key-check.ts';
import { makeOwnerKey } from './access/owner-key.ts';
import { startCommitStatuses } from './notify/commit-statuses.ts';
import { startNotifier } from './notify/notifier.ts';
import { createObserving, type Observing } from './observing.ts';
import { createOwnerApp, OWNER_ID, PATHS } from './owner-app.ts';
import { startRetention } from './retain/retention.ts';
import { databaseFolder, type Settings } from './settings/settings.ts';

/** A server that accepts requests. */
export interface RunningServer {
  /** Address of the server, such as `http://127.0.0.1:4100`. */
  readonly url: string;
  /** Address of the metrics, such as `http://127.0.0.1:9464`. Undefined if no metrics are served. */
  readonly metricsUrl: string | undefined;
  /** The owner key in plain text. Present only if this start has created the key. */
  readonly madeKey: string | undefined;
  /** The file from which the owner key was read. Undefined if this start has created the key, or the settings name the key. */
  readonly keptKey: OwnerKey['kept'];
  /** Finishes the answers in progress, then closes the storage. */
  close(farewell?: Farewell): Promise<void>;
}

/** The phases of a shutdown and their lengths. By default, the server closes its port immediately. */
export interface Farewell {
  /**
   * First phase: milliseconds for which the server still answers normally, while `/readyz` reports `draining`. Default:
   * 0.
   */
  readonly drainMs?: number;
  /**
   * Second phase: milliseconds for which new requests are answered with 503 and Retry-After before the port is closed.
   * Default: 0.
   */
  readonly closeDelayMs?: number;
}

/**
 * Opens the storage, the owner key and the port, in this order. If one of them fails, closes the parts that are already
 * open.
 *
 * @param onStopped called with the reason if the embedded database has stopped and cannot continue; the process should
 * then exit
 */
export async function startServer(
  settings: Settings,
  log: Log,
  onStopped?: (reason: string) => void,
): Promise<RunningServer> {
  const observing = createObserving(settings.metrics);
  const onHints: HintsWatcher = (status) => logHints(log, status);
  return await opening(async (parts) => {
    const storage = parts.keep(await openStorage(settings, { onHints, onStopped, onGroup: observing.onGroup }));
    return await startOn(storage, settings, log, observing);
  });
}

/**
 * Starts a server on an open storage. Closing the server closes the storage too. If the start fails, the storage stays
 * open.
 */
export async function startOn(
  storage: Storage,
  settings: Settings,
  log: Log,
  observing: Observing = createObserving(settings.metrics),
): Promise<RunningServer> {
  const { publicUrl, host, port, webhook } = settings;
  const ownerKey = await openOwnerKey(settings.dataFolder, settings.ownerKey);
  let isDraining = false;
  const health = { checkStorage: () => storage.health(), isDraining: () => isDraining };
  return await opening(async (parts) => {
    const people = openPeople({
      storage,
      makeKey: makeOwnerKey,
      random: randomBytes,
      onFailure: (error) => log.error({ err: error }, 'the log of people could not be read'),
    });
    parts.keep({ close: async () => people.close() });
    const parley = parts.keep(await openParley({ storage, settings, log, observing, people }));
    const app = createOwnerApp({
      ...settings,
      parley,
      storage,
      ownerKey,
      people,
      onSignInFault: (reason) => log.warn({ reason }, 'a sign-in with the OpenID provider failed'),
      log(request) {
        logRequest(log, request);
        observing.countRequest(request);
      },
      onError: (error) => log.error({ err: error }, 'the connection broke while an answer was sent'),
      isDraining: health.isDraining,
    });
    const serving = parts.keep(await serve(observing.tracing(app.callback()), { host, port, parley }));
    const metrics = await observing.serve(parley, health);
    const pageOf = (path: string): string => `${publicUrl ?? serving.url}${path}`;
    const notifier =
      webhook &&
      startNotifier({ owner: parley.owner(OWNER_ID, { approvers: people.approvers }), webhook, pageOf, log });
    const commitStatuses = startCommitStatuses({ statuses: parley.statuses, hosts: settings.forgeHosts, pageOf, log });
    const { retention: retained } = settings;
    const retention =
      retained && startRetention({ retention: retained, storage, parley, people, log, count: observing.countRetained });
    return {
      url: serving.url,
      metricsUrl: metrics?.url,
      madeKey: ownerKey.made,
      keptKey: ownerKey.kept,
      async close({ drainMs = 0, closeDelayMs = 0 } = {}) {
        isDraining = true;
        if (drainMs > 0) await delay(drainMs);
        await serving.close(closeDelayMs);
        people.close();
        await notifier?.close();
        await commitStatuses.close();
        await retention?.close();
        await parley.close();
        await storage.close();
        await metrics?.close();
      },
    };
  });
}

interface ParleyParts {
  readonly storage: Storage;
  readonly settings: Settings;
  readonly log: Log;
  readonly observing: Observing;
  readonly people: People;
}

async function openParley({ storage, settings, log, observing, people }: ParleyParts): Promise<Parley> {
  const { observer } = observing;
  const { publicUrl, limits, sharedLimits, cacheBytes, certificateKeys } = settings;
  return await createParley({
    storage,
    limits,
    sharedLimits,
    limitsOf: people.limitsOf,
    mayInvite: people.mayInvite,
    certificateKeys,
    cache: cacheSizes(cacheBytes),
    onFailure: (cause, traceId) => log.error({ err: cause, trace_id: traceId }, 'a request failed'),
    ...(observer ? { observer } : {}),
    paths: PATHS,
    ...publicUrls(publicUrl),
  });
}

interface StorageWatchers {
  readonly onHints?: HintsWatcher;
  readonly onGroup?: GroupListener | undefined;
  /** Called with the reason if the embedded database has stopped and cannot continue. */
  readonly onStopped?: ((reason: string) => void) | undefined;
}

/** Opens the storage that the settings describe, and migrates its tables. */
export async function openStorage(
  settings: Settings,
  { onHints, onGroup, onStopped }: StorageWatchers = {},
): Promise<Storage> {
  const {
    databaseUrl: connectionString,
    pgDirectUrl,
    pgPrepared: isPrepared,
    pgPool,
    pgGroupMax,
    pgSharded,
  } = settings;
  const grouping = onGroup ? { onGroup } : {};
  if (!connectionString)
    return createPgliteStorage({ folder: databaseFolder(settings), ...grouping, ...(onStopped ? { onStopped } : {}) });
  return createPostgresStorage({
    connectionString,
    isPrepared,
    poolMax: pgPool,
    maxBatchSize: pgGroupMax,
    isSharded: pgSharded,
    hints: settings.hints === 'redis' ? await createRedisHints(settings.redisUrl ?? '') : settings.hints,
    ...(pgDirectUrl ? { hintConnectionString: pgDirectUrl } : {}),
    ...(onHints ? { onHints } : {}),
    ...grouping,
  });
}

/**
 * Logs whether hints between processes arrive. Without hints, all calls still work, but waiting agents get changes by
 * other processes later.
 */
function logHints(log: Log, { isLinked, cause }: Parameters<HintsWatcher>[0]): void {
  if (isLinked) log.info('hints between processes arrive');
  else
    log.warn(
      { err: cause },
      'hints between processes do not arrive: agents see changes by other processes up to ten seconds late',
    );
}
