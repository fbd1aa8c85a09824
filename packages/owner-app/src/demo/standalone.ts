import { createMemoryStorage } from '@parley/core';
import { makeOwnerKey } from '../access/owner-key.ts';
import { createLog } from '../server/log.ts';
import { startOn } from '../server/start.ts';
import { readSettings } from '../settings/settings.ts';

/** A server in this process, gone with it: nothing is written, any free port. */
export async function startStandalone() {
  const key = makeOwnerKey();
  const settings = readSettings({ PORT: '0', PARLEY_OWNER_KEY: key, PARLEY_LOG_LEVEL: 'silent' });
  const { url, close } = await startOn(createMemoryStorage(), settings, createLog('silent', process.stderr));
  return { url, key, close };
}
