import { lockFolder } from '../../src/pglite/folder-lock.ts';

/** Locks the folder, reports it, and holds the lock until it is killed. */
const [, , folder = ''] = process.argv;
try {
  await lockFolder(folder);
  process.stdout.write('held\n');
  setInterval(() => undefined, 1_000);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : 'failed'}\n`);
}
