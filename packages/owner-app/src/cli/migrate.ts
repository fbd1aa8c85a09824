import type { SchemaStanding } from '@parley/storage-pg';
import { Argument, type Command } from 'commander';
import { tableLines } from '../print/table.ts';
import { databaseFolder, type Settings } from '../settings/settings.ts';
import { printAnswer, withJson } from './answer.ts';
import { asOutcome, isPlace, loadDatabases } from './database.ts';
import { CliError, CliOutcome, EXIT } from './exit-codes.ts';
import { addSettingFlags } from './setting-flags.ts';
import type { Terminal } from './terminal.ts';

const EXAMPLES = `
Examples:
  parley migrate status --exit-code || parley migrate up
  DATABASE_URL=postgres://… parley migrate up

A server migrates by itself when it starts. This is for those who want it done before, or by another database user.`;

/** `parley migrate status|up`: the tables of PostgreSQL, or of the embedded database that no server holds. */
export function addMigrate(program: Command, terminal: Terminal): void {
  const command = withJson(
    program.command('migrate').description('Look at the tables of the database, or bring them up to date.'),
  )
    .addArgument(new Argument('<step>', 'status changes nothing; up runs what is due').choices(['status', 'up']))
    .option('--exit-code', `after status: exit with ${EXIT.DUE} when something is due, else with ${EXIT.OK}`);
  const settings = addSettingFlags(command, terminal, isPlace);
  command.addHelpText('after', EXAMPLES);
  command.action(async (step: 'status' | 'up', { exitCode }: { exitCode?: boolean }) => {
    const standing = await asOutcome(step === 'up' ? migrate(settings()) : readStanding(settings()));
    const migrations = standing.migrations.map(({ name, isApplied }) => ({ name, applied: isApplied }));
    const answer = { database: settings().databaseUrl ? 'postgresql' : 'embedded', ...standing, migrations };
    printAnswer(terminal, command, answer, () => standingLines(standing, terminal));
    if (standing.version > standing.newest) throw new CliError(EXIT.REFUSED, 'The tables need a newer program.');
    if (exitCode && standing.version < standing.newest) throw new CliOutcome(EXIT.DUE);
  });
}

async function readStanding(settings: Settings): Promise<SchemaStanding> {
  const { readPgliteSchema, readPostgresSchema } = await loadDatabases();
  if (settings.databaseUrl) return readPostgresSchema({ connectionString: settings.databaseUrl });
  const standing = await readPgliteSchema({ folder: databaseFolder(settings) });
  if (standing) return standing;
  const place = settings.dataFolder;
  throw new CliError(EXIT.USAGE, `${place} holds no database. Set DATABASE_URL or --data; the first start makes one.`);
}

async function migrate(settings: Settings): Promise<SchemaStanding> {
  const { openStorage } = await import('../server/start.ts');
  const before = await readStanding(settings);
  if (before.version >= before.newest) return before;
  await (await openStorage(settings)).close();
  return readStanding(settings);
}

function standingLines({ version, newest, migrations }: SchemaStanding, { columns, paint }: Terminal): string[] {
  const rows = migrations.map(({ name, isApplied }) => [name, isApplied ? 'applied' : 'due']);
  return [
    ...tableLines({ heads: ['migration', 'standing'], rows, flexible: 0 }, columns, paint),
    '',
    version === newest ? `Up to date: schema ${version}.` : `Schema ${version}; this program knows ${newest}.`,
  ];
}
