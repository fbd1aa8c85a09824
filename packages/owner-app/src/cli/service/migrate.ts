import type { SchemaStatus } from '@parley/storage-pg';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { databaseFolder, type Settings } from '../../server/settings/settings.ts';
import { tableLines } from '../../text/table.ts';
import { CliOutcome, commandFailed, EXIT, wrongUsage } from '../exit-codes.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';
import { addSettingFlags, asOutcome, isPlace, loadDatabases } from './setting-flags.ts';

const EXAMPLES = `
Examples:
  parley migrate status --exit-code || parley migrate up
  DATABASE_URL=postgres://… parley migrate up
  DATABASE_URL=postgres://… parley migrate up --partitions 16
  DATABASE_URL=postgres://coordinator/parley parley migrate up --citus

A server migrates by itself when it starts. Use this command to migrate before the start, or as another database user.

--partitions spreads the rows of sessions over that many partitions. Stop the servers first: a table is locked until its
rows are copied.

--citus spreads the rows of sessions over the workers of a Citus cluster. Stop the servers first. Tables
that later versions of parley add are spread automatically.`;

/** Adds `parley migrate`, which works on PostgreSQL, and on the embedded database while no server runs on it. */
export function addMigrate(program: Command, terminal: Terminal): void {
  const command = withJson(
    program.command('migrate').description('Show which migrations of the database are due, or run them.'),
  )
    .addArgument(
      new Argument(
        '<step>',
        'status: show the migrations and change nothing; up: run the migrations that are due',
      ).choices(['status', 'up']),
    )
    .option(
      '--partitions <count>',
      'with up, on PostgreSQL: spread the rows of sessions over this many partitions, by the hash of the session id',
      wholeNumber,
    )
    .option('--citus', 'with up, on the coordinator of Citus: distribute the rows of sessions over its workers')
    .option('--shards <count>', 'with --citus: the number of shards, 2 to 1024 (default 32)', wholeNumber)
    .option('--exit-code', `with status: exit with ${EXIT.DUE} if a migration is due, else with ${EXIT.OK}`);
  const settings = addSettingFlags(command, terminal, isPlace);
  command.addHelpText('after', EXAMPLES);
  command.action(async (step: 'status' | 'up', { exitCode, ...layout }: MigrateFlags) => {
    checkLayout(step, layout, settings());
    const status = await asOutcome(step === 'up' ? migrate(settings(), layout) : readStatus(settings()));
    const migrations = status.migrations.map(({ name, isApplied }) => ({ name, applied: isApplied }));
    const answer = { database: settings().databaseUrl ? 'postgresql' : 'embedded', ...status, migrations };
    printAnswer(terminal, command, answer, () => statusLines(status, terminal));
    if (status.version > status.newest)
      throw commandFailed('A newer version of parley migrated these tables. Install that version.');
    if (exitCode && status.version < status.newest) throw new CliOutcome(EXIT.DUE);
  });
}

async function readStatus(settings: Settings): Promise<SchemaStatus> {
  const { readPgliteSchema, readPostgresSchema } = await loadDatabases();
  if (settings.databaseUrl) return readPostgresSchema({ connectionString: settings.databaseUrl });
  const status = await readPgliteSchema({ folder: databaseFolder(settings) });
  if (status) return status;
  const place = settings.dataFolder;
  throw wrongUsage(`${place} contains no database. Set DATABASE_URL or --data, or start a server, which creates one.`);
}

/** How to distribute the rows of sessions over partitions, or over the shards of Citus. */
interface Layout {
  readonly partitions?: number;
  readonly citus?: boolean;
  readonly shards?: number;
}

interface MigrateFlags extends Layout {
  readonly exitCode?: boolean;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 2 && number <= 1_024) return number;
  throw new InvalidArgumentError('Expected a whole number from 2 to 1024.');
}

function checkLayout(step: string, { partitions, citus, shards }: Layout, { databaseUrl }: Settings): void {
  const flag = citus ? '--citus' : partitions !== undefined ? '--partitions' : undefined;
  if (shards !== undefined && !citus) throw wrongUsage('--shards works with --citus only.');
  if (flag === undefined) return;
  if (citus && partitions !== undefined)
    throw wrongUsage('--citus and --partitions cannot be combined. Use one of them.');
  if (step !== 'up') throw wrongUsage(`${flag} works with "parley migrate up" only.`);
  if (!databaseUrl) throw wrongUsage(`${flag} needs PostgreSQL: set DATABASE_URL.`);
}

async function migrate(settings: Settings, { partitions, citus, shards }: Layout): Promise<SchemaStatus> {
  const { databaseUrl: connectionString } = settings;
  if (connectionString && (citus || partitions !== undefined)) {
    const { distributePostgres, partitionPostgres } = await loadDatabases();
    if (partitions !== undefined) return partitionPostgres({ connectionString, partitions });
    return distributePostgres({ connectionString, shards });
  }
  const { openStorage } = await import('../../server/start.ts');
  const before = await readStatus(settings);
  if (before.version >= before.newest) return before;
  await (await openStorage(settings)).close();
  return readStatus(settings);
}

function statusLines({ version, newest, migrations, partitions, shards }: SchemaStatus, terminal: Terminal): string[] {
  const rows = migrations.map(({ name, isApplied }) => [name, isApplied ? 'applied' : 'due']);
  return [
    ...tableLines({ heads: ['migration', 'status'], rows, flexible: 0 }, terminal),
    '',
    version === newest
      ? `The tables are up to date: schema ${version}.`
      : `The tables have schema ${version}, but this program needs schema ${newest}.${version < newest ? ' To migrate: parley migrate up' : ''}`,
    ...(partitions > 0 ? [`${partitions} partitions.`] : []),
    ...(shards > 0 ? [`${shards} shards on Citus.`] : []),
  ];
}
