import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createRedisHints, deliversNotify, type Hints } from '@parley/storage-pg';
import type { Settings } from '../../../server/settings/settings.ts';
import { type Check, onPostgres } from '../check.ts';
import { reasonOf } from '../reason.ts';
import { fail, pass, type Result, warn } from '../result.ts';
import { countProcesses } from './processes.ts';

/** Maximum number of milliseconds until a test message arrives. */
const ARRIVAL_MS = 10_000;
const TEN_SECONDS = 'agents learn of changes in other processes up to ten seconds late';

/** Checks whether hints between processes arrive, with a hint on a channel that no other program uses. */
export const hints: Check = onPostgres('hints', async (postgres, { settings }) => {
  if (settings.hints === 'notify') return await tryNotify(settings);
  if (settings.hints === 'redis') return await tryRedis(settings.redisUrl ?? '');
  if ((await countProcesses(postgres)) < 2) return pass('off');
  return warn(
    `hints are off although several processes use this database: ${TEN_SECONDS}`,
    'Unset PARLEY_HINTS. The processes then use Redis if REDIS_URL is set, else NOTIFY of PostgreSQL.',
  );
});

async function tryNotify({ pgDirectUrl, databaseUrl }: Settings): Promise<Result> {
  const name = pgDirectUrl ? 'PARLEY_PG_DIRECT_URL' : 'DATABASE_URL';
  try {
    if (await deliversNotify(pgDirectUrl ?? databaseUrl ?? '')) return pass(`NOTIFY at ${name} works`);
  } catch (error) {
    return fail(
      `a connection to ${name} cannot LISTEN: ${reasonOf(error)}`,
      `Check the address in ${name}. Until LISTEN works there, ${TEN_SECONDS}.`,
    );
  }
  return fail(
    `${name} leads to a pooler, which does not deliver NOTIFY: ${TEN_SECONDS}`,
    'Set PARLEY_PG_DIRECT_URL to an address of PostgreSQL without the pooler, or set REDIS_URL. Set PARLEY_HINTS=off if ten seconds are acceptable.',
  );
}

async function tryRedis(url: string): Promise<Result> {
  const broker = await createRedisHints(url);
  const installation = `doctor-${randomUUID()}`;
  const refused = new AbortController();
  const open = () =>
    broker.open(
      async () => installation,
      ({ isLinked, cause }) => {
        if (!isLinked) refused.abort(cause);
      },
    );
  const sender = open();
  const listener = open();
  try {
    if (await hintArrives(sender, listener, refused.signal)) return pass('Redis works');
  } finally {
    await Promise.all([sender.close(), listener.close()]);
  }
  const reason = refused.signal.aborted ? reasonOf(refused.signal.reason) : 'a test message did not arrive';
  return fail(
    `Redis does not work: ${reason}`,
    `Check REDIS_URL, and that the server is Redis 6 or newer. Until Redis works, ${TEN_SECONDS}.`,
  );
}

/**
 * Sends a hint repeatedly until `listener` gets one, because `listener` may not listen yet when the first hint is sent.
 * Resolves with false if `refused` is aborted, or if no hint arrives within `ARRIVAL_MS`.
 */
async function hintArrives(sender: Hints, listener: Hints, refused: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const arrived = new Promise<true>((resolve) => {
    listener.onHint((sessionIds) => sessionIds.includes('doctor') && resolve(true));
  });
  const failed = pause(ARRIVAL_MS, false, { signal: AbortSignal.any([over.signal, refused]) }).catch(() => false);
  const repeating = setInterval(() => sender.hint(['doctor']), 100);
  try {
    return await Promise.race([arrived, failed]);
  } finally {
    clearInterval(repeating);
    over.abort();
  }
}
