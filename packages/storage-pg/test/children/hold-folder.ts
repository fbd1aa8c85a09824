import { lockFolder } from '../../src/pglite/folder-lock.ts';

/**
 * Locks the folder, prints `held`, and keeps the lock until this process is killed. If the folder is already locked,
 * prints the error.
 */
const [, , folder = ''] = process.argv;
try {
  await lockFolder(folder);
  process.stdout.write('held\n');
  setInterval(() => undefined, 1_000);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : 'failed'}\n`);
}
