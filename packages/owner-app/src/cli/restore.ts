import { readdir, readFile, rmdir } from 'node:fs/promises';
import { createParley, type Owner } from '@parley/core';
import type { Command } from 'commander';
import { OWNER_ID } from '../server/owner-app.ts';
import { databaseFolder, type Settings } from '../server/settings/settings.ts';
import { tableLines } from '../text/table.ts';
import { visible } from '../text/visible.ts';
import { printAnswer, withJson } from './answer.ts';
import { refusePostgres } from './backup.ts';
import { asOutcome, isPlace, loadDatabases } from './database.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { addSettingFlags } from './setting-flags.ts';
import type { Terminal } from './terminal.ts';

/** Files that may lie in a folder that is to be restored into: they keep the owner key. */
const KEY_FILES = ['owner-key', 'owner-key.json'];

interface Restored {
  readonly session_id: string;
  readonly title: string;
  readonly events: number;
  readonly verified: boolean;
}

/** `parley restore FILE`: a new data folder from a backup; every log in it is verified. */
export function addRestore(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('restore')
      .description('Make a data folder from a backup, and verify the log of every session in it.'),
  ).argument('<file>', 'a file that `parley backup` wrote');
  const settings = addSettingFlags(command, terminal, isPlace);
  command.addHelpText(
    'after',
    '\nExample:\n  parley restore parley-2026-11-21.tar.gz --data /var/lib/parley-restored\n\nThe folder must be empty, or hold the files of the owner key alone.',
  );
  command.action(async (file: string) => {
    refusePostgres(settings());
    const sessions = await asOutcome(restore(settings(), file));
    const { dataFolder } = settings();
    printAnswer(terminal, command, { data: dataFolder, sessions }, () => restoredLines(dataFolder, sessions, terminal));
    const broken = sessions.filter(({ verified }) => !verified);
    if (broken.length > 0)
      throw new CliError(
        EXIT.MISMATCH,
        broken.length === 1 ? '1 log does not verify' : `${broken.length} logs do not verify`,
      );
  });
}

async function restore(settings: Settings, file: string): Promise<Restored[]> {
  const { restorePglite } = await loadDatabases();
  const bytes = await readFile(file).catch(() => {
    throw new CliError(EXIT.USAGE, `${file} cannot be read.`);
  });
  await checkEmpty(settings.dataFolder);
  const folder = databaseFolder(settings);
  await restorePglite({ folder, dump: new Blob([new Uint8Array(bytes)]) }).catch(async (error: unknown) => {
    // Nothing but the folder is left, unless somebody else is at work in it.
    await rmdir(folder).catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(EXIT.USAGE, `${file} was not restored: ${reason}`);
  });
  return verifyAll(settings);
}

async function checkEmpty(dataFolder: string): Promise<void> {
  const names = await readdir(dataFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const other = names.find((name) => !KEY_FILES.includes(name));
  if (other !== undefined) throw new CliError(EXIT.USAGE, `${dataFolder} is not empty: it holds ${visible(other)}.`);
}

/** Opens it as a server would, which also brings the tables of an older backup up to date. */
async function verifyAll(settings: Settings): Promise<Restored[]> {
  const { openStorage } = await import('../server/start.ts');
  const storage = await openStorage(settings);
  try {
    const parley = await createParley({ storage });
    const restored = await verifySessions(parley.owner(OWNER_ID));
    await parley.close();
    return restored;
  } finally {
    await storage.close();
  }
}

async function verifySessions(owner: Owner): Promise<Restored[]> {
  const restored: Restored[] = [];
  for (let after: string | undefined; ; ) {
    const page = await owner.listSessions(after === undefined ? {} : { after });
    for (const { session_id, title } of page.sessions) {
      const { ok, events } = await owner.verifyLog(session_id);
      restored.push({ session_id, title, events, verified: ok && events > 0 });
    }
    if (page.next_after === null) return restored;
    after = page.next_after;
  }
}

function restoredLines(
  dataFolder: string,
  sessions: readonly Restored[],
  { columns, paint, program }: Terminal,
): string[] {
  const rows = sessions.map(({ session_id, title, events, verified }) => [
    session_id,
    verified ? 'ok' : 'broken',
    String(events),
    visible(title).replaceAll('\n', ' '),
  ]);
  return [
    ...(rows.length === 0 ? ['The backup holds no session.'] : []),
    ...(rows.length > 0
      ? tableLines({ heads: ['session', 'log', 'events', 'title'], rows, flexible: 3 }, columns, paint)
      : []),
    '',
    `Restored into ${dataFolder}. Start it with: ${program} serve --data ${dataFolder}`,
  ];
}
