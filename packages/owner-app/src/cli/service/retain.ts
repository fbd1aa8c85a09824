import { randomBytes } from 'node:crypto';
import { timeText } from '@parley/core/text';
import { type Command, Option } from 'commander';
import { CHECK_FILE } from '../../server/retain/archive.ts';
import type { Retention, SweptSession } from '../../server/retain/retention.ts';
import type { Variable } from '../../server/settings/environment.ts';
import type { Settings } from '../../server/settings/settings.ts';
import { tableLines } from '../../text/table.ts';
import { CliOutcome, commandFailed, EXIT, wrongUsage } from '../exit-codes.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';
import { addSettingFlags, asOutcome, isPlace } from './setting-flags.ts';

const HELP = `
Examples:
  parley retain --dry-run --retain-days 365 --retain-to /var/lib/parley-archive
  DATABASE_URL=postgres://… parley retain
  AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… parley retain --check --retain-days 365 --retain-to s3://bucket/parley

Each session that ended more than PARLEY_RETAIN_DAYS days ago is exported to PARLEY_RETAIN_TO, the export is read back and
verified, and only then is the session erased. On the embedded database, the command works only while no server runs. A server
with these two settings does the same once an hour. --check only writes the file ${CHECK_FILE} to PARLEY_RETAIN_TO and reads it back.`;

const OF_RETENTION: ReadonlySet<Variable> = new Set([
  'PARLEY_RETAIN_DAYS',
  'PARLEY_RETAIN_TO',
  'AWS_ENDPOINT_URL_S3',
  'AWS_REGION',
  'PARLEY_S3_PATH_STYLE',
]);

interface Row {
  readonly session_id: string;
  readonly title: string;
  readonly ended_at: string;
  readonly outcome: SweptSession['outcome'] | 'due';
  /** Why the session was not erased. Present only if `outcome` is `failed`. */
  readonly error?: string | undefined;
}

export function addRetain(program: Command, terminal: Terminal): void {
  const command = withJson(
    program.command('retain').description('Export and erase sessions that ended over PARLEY_RETAIN_DAYS days ago.'),
  )
    .option('--dry-run', 'list the sessions that are due, and change nothing')
    .addOption(
      new Option('--check', 'only write a file to the archive, read it back and compare it').conflicts('dryRun'),
    );
  const settings = addSettingFlags(command, terminal, (variable) => isPlace(variable) || OF_RETENTION.has(variable));
  command.addHelpText('after', HELP);
  command.action(async ({ dryRun = false, check }: { dryRun?: boolean; check?: boolean }) => {
    const retention = retentionOf(settings());
    if (check) return await checkPlace(command, terminal, retention);
    const sessions = await asOutcome(run(settings(), retention, dryRun));
    printAnswer(terminal, command, { sessions, dry_run: dryRun }, () => lines(sessions, dryRun, terminal));
    if (sessions.some(({ outcome }) => outcome === 'failed')) throw new CliOutcome(EXIT.REFUSED);
  });
}

function retentionOf({ retention }: Settings): Retention {
  if (retention) return retention;
  throw wrongUsage(
    'Set PARLEY_RETAIN_DAYS (--retain-days) and PARLEY_RETAIN_TO (--retain-to). Without these settings, no session is erased.',
  );
}

async function checkPlace(command: Command, terminal: Terminal, { to }: Retention): Promise<void> {
  const [{ openArchive }, { checkArchive }] = await Promise.all([
    import('../../server/retain/open-archive.ts'),
    import('../../server/retain/retention.ts'),
  ]);
  const archive = openArchive(to);
  const checked = archive.addressOf(CHECK_FILE);
  try {
    await checkArchive(archive);
  } catch (error) {
    throw commandFailed(error instanceof Error ? error.message : String(error));
  }
  printAnswer(terminal, command, { checked }, () => [`${checked} was written and read back.`]);
}

/** Imports the code of the server here, so that other commands start faster. */
async function run(settings: Settings, { days, to }: Retention, isDryRun: boolean): Promise<readonly Row[]> {
  const [
    { createParley, openPeople },
    { openStorage },
    { openArchive },
    { dueSessions, isHeld, ownersOf, sweep },
    { makeOwnerKey },
  ] = await Promise.all([
    import('@parley/core'),
    import('../../server/start.ts'),
    import('../../server/retain/open-archive.ts'),
    import('../../server/retain/retention.ts'),
    import('../../server/access/owner-key.ts'),
  ]);
  const storage = await openStorage(settings);
  const parley = await createParley({ storage });
  const errors = new Map<unknown, string>();
  const log = {
    info: () => undefined,
    warn: ({ err, session_id }: { err?: unknown; session_id?: unknown }) =>
      void errors.set(session_id, err instanceof Error ? err.message : String(err)),
  };
  const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
  try {
    const options = { owners: await ownersOf(parley, people), days, nowMs: Date.now() };
    const rows: Row[] = [];
    if (isDryRun)
      for await (const { owner, session } of dueSessions(options))
        rows.push({ ...session, outcome: (await isHeld(owner, session.session_id)) ? 'held' : 'due' });
    else
      for (const swept of await sweep({ ...options, archive: openArchive(to), log }))
        rows.push({ ...swept, error: errors.get(swept.session_id) });
    return rows;
  } finally {
    people.close();
    await parley.close();
    await storage.close();
  }
}

const OUTCOMES: Readonly<Record<Row['outcome'], string>> = {
  due: 'would be erased',
  erased: 'erased',
  held: 'not erased: a hold of the moderator is active',
  changed: 'not erased: the session changed during the export',
  failed: 'not erased',
};

function lines(sessions: readonly Row[], isDryRun: boolean, terminal: Terminal): string[] {
  if (sessions.length === 0) return [isDryRun ? 'No session would be erased.' : 'No session was due.'];
  const rows = sessions.map(({ session_id, title, ended_at, outcome, error }) => [
    session_id,
    timeText(ended_at),
    title,
    [OUTCOMES[outcome], error].filter(Boolean).join(': '),
  ]);
  return tableLines({ heads: ['session', 'ended', 'title', 'what'], rows }, terminal);
}
