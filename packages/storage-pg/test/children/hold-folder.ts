import { lockFolder } from '../../src/pglite/folder-lock.ts';

/** Takes the folder, says so, and holds it until it is killed. */
const [, , folder = ''] = process.argv;
try {
  await lockFolder(folder);
  process.stdout.write('held\n');
  setInterval(() => undefined, 1_000);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : 'failed'}\n`);
}
