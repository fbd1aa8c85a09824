import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { createParley, type Owner, openPeople, ParleyError, type Storage } from '@parley/core';
import type { Command } from 'commander';
import { endSignIns } from '../../server/access/key-check.ts';
import { makeOwnerKey } from '../../server/access/owner-key.ts';
import { databaseFolder, type Settings } from '../../server/settings/settings.ts';
import { tableLines } from '../../text/table.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { CliError, EXIT, wrongUsage } from '../exit-codes.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';
import { addSettingFlags, asOutcome, isPlace, loadDatabases } from './setting-flags.ts';

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
  if (databaseUrl) throw wrongUsage(PG_DUMP);
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
    throw wrongUsage(
      `${file} cannot be created: ${error.code === 'EEXIST' ? 'a file of this name already exists' : error.message}.`,
    );
  });
  try {
    const dump = await dumpPglite({ folder: databaseFolder(settings) });
    if (!dump)
      throw wrongUsage(`${settings.dataFolder} contains no database. Give the data folder of the server with --data.`);
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

/** A person who could sign in when the backup was made. */
export interface RestoredPerson {
  readonly person_id: string;
  readonly name: string;
  readonly role: string;
  readonly account_id: string;
  /** Whether the person has a key, and not a company account. */
  readonly has_key: boolean;
  /** Whether this command has revoked the person. */
  readonly revoked: boolean;
}

/** The accounts and the people of a restored backup. The id of an account is the owner id of its sessions. */
export interface RestoredPeople {
  readonly accounts: readonly string[];
  readonly people: readonly RestoredPerson[];
}

/**
 * Reads the people of a restored backup, also those of closed accounts, and revokes them if `revoked` is true.
 *
 * @throws CliError if the log of people is broken
 */
export async function restoredPeople(storage: Storage, revoked: boolean): Promise<RestoredPeople> {
  const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
  try {
    const calls = people.calls();
    const { accounts } = await calls.listAccounts();
    const { people: known } = await calls.listPeople();
    if (revoked) for (const { person_id } of known) await calls.revokePerson(person_id);
    return {
      accounts: accounts.map(({ account_id }) => account_id),
      people: known.map(({ person_id, name, role, account_id, key_prefix }) => {
        return { person_id, name, role, account_id, has_key: key_prefix !== null, revoked };
      }),
    };
  } catch (error) {
    const reason = error instanceof ParleyError ? error.message : String(error);
    throw new CliError(
      EXIT.MISMATCH,
      `no log was verified, because the log of people and accounts is broken: ${reason}`,
    );
  } finally {
    people.close();
  }
}

/** Says who can sign in by this backup, or who must get a new key or be readmitted. */
export function peopleLines(people: readonly RestoredPerson[], program: string): string[] {
  if (people.length === 0) return [];
  const named = people.map(({ person_id, name, role, has_key }) =>
    visibleLine(`${name} (${person_id}), ${role}, ${has_key ? 'key' : 'company account'}`),
  );
  if (people.every(({ revoked }) => revoked))
    return [
      `These people were revoked. To give a person a new key: ${program} people add NAME --role ROLE. To let a company account sign in again: ${program} people readmit ID`,
      ...named.map((line) => `  ${line}`),
    ];
  return [
    `By this backup these people can sign in. Revocations after the backup are gone: to revoke a person, run ${program} people revoke ID, or restore again with --revoke-access.`,
    ...named.map((line) => `  ${line}`),
  ];
}

/** Names of the files with the owner key. Only these files may already be in the data folder. */
const KEY_FILES = ['owner-key', 'owner-key.json'];

interface Restored {
  readonly session_id: string;
  readonly title: string;
  readonly events: number;
  readonly verified: boolean;
  /** Why the log of the session cannot be verified. Absent if the log was verified. */
  readonly fault?: string;
  /** Roles that have a token or an open invitation in the backup. */
  readonly access: readonly string[];
}

interface RestoredAll {
  readonly sessions: readonly Restored[];
  readonly people: readonly RestoredPerson[];
}

interface Wanted {
  /** The SHA-256 that the backup file must have. Absent if the file is not checked. */
  readonly sha256?: string;
  readonly revokeAccess?: boolean;
}

export function addRestore(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('restore')
      .description('Make a data folder from a backup, and verify the log of every session in it.'),
  )
    .argument('<file>', 'a file that `parley backup` wrote')
    .option('--sha256 <hex>', 'refuse the file unless it has the SHA-256 that `parley backup` printed')
    .option(
      '--revoke-access',
      'revoke every token, open invitation and person in the backup; you then invite the agents and add the people again',
    );
  const settings = addSettingFlags(command, terminal, isPlace);
  command.addHelpText(
    'after',
    '\nExample:\n  parley restore parley-2026-11-21.tar.gz --data /var/lib/parley-restored\n\nThe folder must be empty, or contain only the files of the owner key.\nA backup is trusted like a program: restore no file that somebody else could have changed.',
  );
  command.action(async (file: string, wanted: Wanted) => {
    refusePostgres(settings());
    const restored = await asOutcome(restore(settings(), file, wanted));
    const { dataFolder } = settings();
    const { sessions } = restored;
    printAnswer(terminal, command, { data: dataFolder, ...restored }, () =>
      restoredLines(dataFolder, restored, terminal),
    );
    const broken = sessions.filter(({ verified }) => !verified);
    if (broken.length > 0)
      throw new CliError(
        EXIT.MISMATCH,
        broken.length === 1
          ? 'verification found a fault in 1 log'
          : `verification found faults in ${broken.length} logs`,
      );
  });
}

async function restore(settings: Settings, file: string, wanted: Wanted): Promise<RestoredAll> {
  const { restorePglite } = await loadDatabases();
  const bytes = await readFile(file).catch(() => {
    throw wrongUsage(`The backup file ${file} cannot be read. Check the path.`);
  });
  checkSum(file, bytes, wanted.sha256);
  await checkEmpty(settings.dataFolder);
  const folder = databaseFolder(settings);
  await restorePglite({ folder, dump: new Blob([new Uint8Array(bytes)]) }).catch(async (error: unknown) => {
    // Removes the folder that this command has created. If another process has put files into the folder, `rmdir` fails
    // and the folder stays.
    await rmdir(folder).catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw wrongUsage(`${file} was not restored: ${reason}`);
  });
  if (wanted.revokeAccess) await endSignIns(settings.dataFolder);
  return verifyAll(settings, wanted);
}

function checkSum(file: string, bytes: Uint8Array, wanted: string | undefined): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (wanted === undefined || wanted.toLowerCase() === found) return;
  throw wrongUsage(
    `${file} was not restored: its SHA-256 is ${found}, but --sha256 is ${visible(wanted)}. Copy the backup file again, or correct --sha256.`,
  );
}

async function checkEmpty(dataFolder: string): Promise<void> {
  const names = await readdir(dataFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const other = names.find((name) => !KEY_FILES.includes(name));
  if (other !== undefined)
    throw wrongUsage(`${dataFolder} is not empty: it contains ${visible(other)}. Name an empty folder with --data.`);
}

/**
 * Opens the data folder and verifies each log in it. Opening also migrates older tables, as the start of a server does.
 */
async function verifyAll(settings: Settings, wanted: Wanted): Promise<RestoredAll> {
  const { openStorage } = await import('../../server/start.ts');
  const storage = await openStorage(settings);
  try {
    const parley = await createParley({ storage });
    const { accounts, people } = await restoredPeople(storage, wanted.revokeAccess ?? false);
    const sessions: Restored[] = [];
    for (const account of accounts) sessions.push(...(await verifySessions(parley.owner(account), wanted)));
    await parley.close();
    return { sessions, people };
  } finally {
    await storage.close();
  }
}

async function verifySessions(owner: Owner, { revokeAccess = false }: Wanted): Promise<Restored[]> {
  const restored: Restored[] = [];
  for (let after: string | undefined; ; ) {
    const page = await owner.listSessions(after === undefined ? {} : { after });
    for (const { session_id, title } of page.sessions) {
      const session = { session_id, title, ...(await verifySession(owner, session_id)) };
      if (revokeAccess) for (const role of session.access) await owner.revoke(session_id, { role });
      restored.push(revokeAccess ? { ...session, access: [] } : session);
    }
    if (page.next_after === null) return restored;
    after = page.next_after;
  }
}

/**
 * Verifies the hashes of a log, and then folds its events, because a log with correct hashes can contain events that
 * this version cannot read.
 */
async function verifySession(owner: Owner, sessionId: string) {
  const { ok, events, fault } = await owner.verifyLog(sessionId);
  if (!ok || events === 0)
    return { events, verified: false, fault: fault?.message ?? 'The log has no event.', access: [] };
  try {
    const { access } = await owner.view(sessionId);
    const isOpen = ({ token, invitation }: (typeof access)[number]): boolean =>
      (token !== null && !token.revoked) || invitation !== null;
    return { events, verified: true, access: access.filter(isOpen).map(({ role }) => role) };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { events, verified: false, fault: error.message, access: [] };
  }
}

function restoredLines(dataFolder: string, { sessions, people }: RestoredAll, terminal: Terminal): string[] {
  const rows = sessions.map(({ session_id, title, events, verified }) => [
    session_id,
    verified ? 'ok' : 'broken',
    String(events),
    visible(title).replaceAll('\n', ' '),
  ]);
  return [
    ...(rows.length === 0
      ? ['The backup contains no session.']
      : tableLines({ heads: ['session', 'log', 'events', 'title'], rows, isShortened: true }, terminal)),
    ...sessions.flatMap(({ session_id, fault }) => (fault === undefined ? [] : [`${session_id}: ${visible(fault)}`])),
    ...accessLines(sessions),
    ...peopleLines(people, terminal.program),
    '',
    `Restored into ${dataFolder}. To start a server on this folder: ${terminal.program} serve --data ${dataFolder}`,
  ];
}

function accessLines(sessions: readonly Restored[]): string[] {
  const count = sessions.filter(({ access }) => access.length > 0).length;
  if (count === 0) return [];
  const work = count === 1 ? 'In 1 session' : `In ${count} sessions`;
  return [
    `${work}, tokens or invitations of the backup are still valid. To revoke them, run parley revoke SESSION --role ROLE, or restore again with --revoke-access.`,
  ];
}
