import { readPgliteHolder } from '@parley/storage-pg';
import { databaseFolder } from '../../../server/settings/settings.ts';
import type { Check } from '../check.ts';
import { pass, warn } from '../result.ts';

/**
 * Reports which process uses the data folder. Does not open the database, because that would change files in the
 * folder.
 */
export const embeddedDatabase: Check = {
  name: 'embedded database',
  async run({ settings }) {
    if (settings.databaseUrl) return undefined;
    const folder = databaseFolder(settings);
    const holder = await readPgliteHolder({ folder });
    if (settings.redisUrl || settings.sharedLimits || settings.pgDirectUrl)
      return warn(
        'a setting for several processes is set, but the embedded database allows only one process',
        'Set DATABASE_URL to a PostgreSQL server, or remove REDIS_URL, PARLEY_SHARED_LIMITS and PARLEY_PG_DIRECT_URL.',
      );
    if (holder === undefined) return pass(`${folder} has no database yet; the first start creates it`);
    return pass(holder === null ? `${folder}, used by no process` : `${folder}, used by process ${holder}`);
  },
};
