import { StorageUnavailable } from '@parley/core';
import type { Variable } from '../../server/settings/environment.ts';
import { CliError, EXIT } from '../exit-codes.ts';

/** Whether a setting determines where sessions are stored. */
export const isPlace = (variable: Variable): boolean => variable === 'PARLEY_DATA' || variable === 'DATABASE_URL';

/** Imported only by the commands that need a database, so that other commands start faster. */
export const loadDatabases = () => import('@parley/storage-pg');

/** Awaits `work`, which uses a database. If the database cannot be used, rejects with CliError. */
export async function asOutcome<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageUnavailable) throw new CliError(EXIT.UNREACHABLE, error.message);
    const { FolderInUse, NotDistributable } = await loadDatabases();
    if (error instanceof NotDistributable) throw new CliError(EXIT.REFUSED, error.message);
    if (error instanceof FolderInUse) throw new CliError(EXIT.REFUSED, `${error.message} Stop that process first.`);
    throw error;
  }
}
