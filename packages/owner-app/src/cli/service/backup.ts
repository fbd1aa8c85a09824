import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { databaseFolder, type Settings } from '../../server/settings/settings.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';
import { asOutcome, isPlace, loadDatabases } from './database.ts';
import { addSettingFlags } from './setting-flags.ts';

const PG_DUMP = `This command works on the embedded database only, and DATABASE_URL is set. To back up PostgreSQL, also while servers run:
  pg_dump --format=custom --no-owner --table='parley_*' --file=parley.dump "$DATABASE_URL"
To restore into an empty database:
  pg_restore --no-owner --exit-on-error --dbname="$OTHER_DATABASE_URL" parley.dump
Then check each session there with: parley verify-log SESSION`;

/**
 * Refuses a command that works only on the embedded database, if `DATABASE_URL` is set. The error message explains how
 * to use `pg_dump` instead.
 */
export const refusePostgres = ({ databaseUrl }: Settings): void => {
  if (databaseUrl) throw new CliError(EXIT.USAGE, PG_DUMP);
};

export function addBackup(program: Command, terminal: Terminal): void {
  const command = withJson(
    program.command('backup').description('Write the embedded database to one file, while no server runs on it.'),
  ).argument('<file>', 'a file that must not exist yet; it gets mode 600');
  const settings = addSettingFlags(command, terminal, isPlace);
  command.addHelpText(
    'after',
    '\nExample:\n  parley backup parley-2026-11-21.tar.gz\n\nThe backup does not contain the owner key. If DATABASE_URL is set, the command prints how to use pg_dump.',
  );
  command.action(async (file: string) => {
    refusePostgres(settings());
    const { bytes, sha256 } = await asOutcome(backUp(settings(), file));
    const answer = { file, bytes, sha256 };
    printAnswer(terminal, command, answer, () => [
      `Wrote ${file}: ${(bytes / 1_000_000).toFixed(1)} MB. It contains every session, but only hashes of the tokens.`,
      `SHA-256: ${sha256}`,
      `Test the backup: parley restore ${file} --data SOME_EMPTY_FOLDER`,
    ]);
  });
}

/** Writes the backup. Opens the file before it reads the database, so that a wrong path is reported immediately. */
async function backUp(settings: Settings, file: string): Promise<{ bytes: number; sha256: string }> {
  const { dumpPglite } = await loadDatabases();
  const target = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(
      EXIT.USAGE,
      `${file} cannot be created: ${error.code === 'EEXIST' ? 'a file of this name already exists' : error.message}.`,
    );
  });
  try {
    const dump = await dumpPglite({ folder: databaseFolder(settings) });
    if (!dump)
      throw new CliError(
        EXIT.USAGE,
        `${settings.dataFolder} contains no database. Give the data folder of the server with --data.`,
      );
    const bytes = new Uint8Array(await dump.arrayBuffer());
    await target.writeFile(bytes);
    await target.sync();
    return { bytes: dump.size, sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await target.close();
  }
}
