import { createMemoryStorage } from '@parley/core';
import { createLog } from '@parley/http-host/program';
import { makeOwnerKey } from '../../server/access/owner-key.ts';
import { readSettings } from '../../server/settings/settings.ts';
import { startOn } from '../../server/start.ts';

/** Starts a server in this process, on a free port and with its data in memory. */
export async function startStandalone() {
  const key = makeOwnerKey();
  const settings = readSettings({ PORT: '0', PARLEY_OWNER_KEY: key, PARLEY_LOG_LEVEL: 'silent' });
  const { url, close } = await startOn(createMemoryStorage(), settings, createLog('silent', process.stderr));
  return { url, key, close };
}
