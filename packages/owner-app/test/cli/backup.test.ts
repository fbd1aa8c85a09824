import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createParley, openPeople, type Storage } from '@parley/core';
import { createPgliteStorage } from '@parley/storage-pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databaseUrl, newDatabase } from '../../../storage-pg/test/new-database.ts';
import { fillPgliteFolder } from '../../../storage-pg/test/pglite/pglite-template.ts';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { openOwnerKey } from '../../src/server/access/key-check.ts';
import { makeOwnerKey } from '../../src/server/access/owner-key.ts';
import { ask } from '../ask.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { newFolder } from '../new-folder.ts';
import { signInWith } from '../people-app.ts';
import { runApp, SESSION } from '../running-app.ts';

async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const terminal = fakeTerminal(environment);
  const code = await runCli(args, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
}

/** Appends an event of an unknown kind with a valid hash, as an attacker with access to the storage could. */
async function appendForged(storage: Storage, sessionId: string): Promise<void> {
  const [first] = await storage.events(sessionId, 1, 1);
  const event = { ...JSON.parse(first?.body ?? ''), seq: 2, prev_hash: first?.hash, kind: '__proto__', data: {} };
  const body = JSON.stringify(event);
  await storage.append({
    sessionId,
    expected: { seq: 1, hash: first?.hash ?? '' },
    events: [{ seq: 2, hash: createHash('sha256').update(body).digest('hex'), body }],
    documents: [],
    listing: { title: 'T', status: 'DRAFT', phase: 'PLANNING', createdAt: '2026-01-05T09:00:00.000Z' },
  });
}

function openedPeople(storage: Storage) {
  const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
  return { people, calls: people.calls() };
}

describe('the embedded database', () => {
  test('is backed up while no server uses it, and restored only into an empty folder', async () => {
    const [data, other] = [join(await newFolder(), 'data'), join(await newFolder(), 'data')];
    const file = join(await newFolder(), 'backup.tar.gz');
    await fillPgliteFolder(join(data, 'pg'));
    const storage = await createPgliteStorage({ folder: join(data, 'pg') });
    const parley = await createParley({ storage });
    const owner = parley.owner('owner');
    const { session_id: id } = await owner.createSession(SESSION);
    await owner.start(id);
    expect(await run(['backup', file, '--data', data])).toMatchObject({
      code: EXIT.REFUSED,
      err: expect.stringMatching(/in use by process \d+\. Stop that process first\.$/),
    });
    await parley.close();
    await storage.close();

    expect(await run(['backup', file, '--data', data])).toMatchObject({ code: EXIT.OK });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await run(['backup', file, '--data', data])).toMatchObject({
      code: EXIT.USAGE,
      err: `parley: ${file} cannot be created: a file of this name already exists.`,
    });
    const restored = await run(['restore', file, '--json'], { PARLEY_DATA: other });
    expect(restored.code).toBe(EXIT.OK);
    expect(JSON.parse(restored.out)).toEqual({
      data: other,
      people: [],
      sessions: [{ session_id: id, title: 'Refunds', events: 2, verified: true, access: [] }],
    });
    expect(await run(['restore', file, '--data', other])).toMatchObject({
      code: EXIT.USAGE,
      err: `parley: ${other} is not empty: it contains pg. Name an empty folder with --data.`,
    });
    expect(await run(['migrate', 'status', '--exit-code', '--data', other])).toMatchObject({
      code: EXIT.OK,
      out: 'migration          status\n0001-first-tables  applied\n0002-snapshots     applied\n0003-presence      applied\n0004-inbox         applied\n0005-owner-events  applied\n\nThe tables are up to date: schema 5.',
    });
  });

  test('of a changed backup is refused by its SHA-256; unreadable logs and valid tokens are listed', async () => {
    const [data, other] = [join(await newFolder(), 'data'), join(await newFolder(), 'data')];
    const file = join(await newFolder(), 'backup.tar.gz');
    await fillPgliteFolder(join(data, 'pg'));
    const storage = await createPgliteStorage({ folder: join(data, 'pg') });
    const parley = await createParley({ storage });
    const owner = parley.owner('owner');
    const { session_id: forged } = await owner.createSession(SESSION);
    const { session_id: open } = await owner.createSession(SESSION);
    const { code } = await owner.invite(open, { role: 'agent_b' });
    const { token } = await parley.redeem({ code });
    await parley.close();
    await appendForged(storage, forged);
    await storage.close();
    const { sha256 } = JSON.parse((await run(['backup', file, '--json', '--data', data])).out);

    const zeros = '0'.repeat(64);
    expect(await run(['restore', file, '--data', other, '--sha256', zeros])).toMatchObject({
      code: EXIT.USAGE,
      err: `parley: ${file} was not restored: its SHA-256 is ${sha256}, but --sha256 is ${zeros}. Copy the backup file again, or correct --sha256.`,
    });
    const restored = await run(['restore', file, '--json', '--data', other, '--sha256', sha256, '--revoke-access']);
    expect(restored).toMatchObject({ code: EXIT.MISMATCH, err: 'parley: verification found a fault in 1 log' });
    expect(JSON.parse(restored.out).sessions).toEqual([
      { session_id: open, title: 'Refunds', events: 3, verified: true, access: [] },
      {
        ...{ session_id: forged, title: 'Refunds', events: 2, verified: false, access: [] },
        fault: 'A newer release of Parley has written to this session. This release cannot read it.',
      },
    ]);
    const again = await createPgliteStorage({ folder: join(other, 'pg') });
    const reopened = await createParley({ storage: again });
    await expect(reopened.agent(token).call('read_session_state', {})).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
    await reopened.close();
    await again.close();
  });

  test('names the people who can sign in again; --revoke-access revokes them, also those of a closed account', async () => {
    const [data, plain, ended] = await Promise.all([1, 2, 3].map(async () => join(await newFolder(), 'data')));
    const file = join(await newFolder(), 'backup.tar.gz');
    await fillPgliteFolder(join(String(data), 'pg'));
    const storage = await createPgliteStorage({ folder: join(String(data), 'pg') });
    const { people, calls } = openedPeople(storage);
    const { key, person } = await calls.addPerson({ name: 'Ada', role: 'approver' });
    const { account } = await calls.addAccount({ name: 'Team B' });
    const { person: bob } = await calls.addPerson({ name: 'Bob', role: 'viewer', account_id: account.account_id });
    await calls.closeAccount(account.account_id);
    const { id: eve } = await people.admit({ subject: 'https://login.example.com 7', name: 'Eve', role: 'operator' });
    people.close();
    await storage.close();
    await run(['backup', file, '--data', String(data)]);

    const lines = [
      `  Ada (${person.person_id}), approver, key`,
      `  Bob (${bob.person_id}), viewer, key`,
      `  Eve (${eve}), operator, company account`,
    ];
    expect((await run(['restore', file, '--data', String(plain)])).out).toContain(
      [
        'By this backup these people can sign in. Revocations after the backup are gone: to revoke a person, run parley people revoke ID, or restore again with --revoke-access.',
        ...lines,
      ].join('\n'),
    );
    expect((await run(['restore', file, '--data', String(ended), '--revoke-access'])).out).toContain(
      [
        'These people were revoked. To give a person a new key: parley people add NAME --role ROLE. To let a company account sign in again: parley people readmit ID',
        ...lines,
      ].join('\n'),
    );
    const again = await createPgliteStorage({ folder: join(String(ended), 'pg') });
    const reopened = openedPeople(again);
    expect(await reopened.people.withKey(key)).toBeUndefined();
    await reopened.calls.reopenAccount(account.account_id);
    for (const id of [bob.person_id, eve]) expect(await reopened.people.withId(id)).toBeUndefined();
    await expect(
      reopened.people.admit({ subject: 'https://login.example.com 7', name: 'Eve', role: 'approver' }),
    ).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    reopened.people.close();
    await again.close();
  });

  test('accepts no old session cookie after --revoke-access, also beside the kept files of the owner key', async () => {
    const [data, plain, ended] = await Promise.all([1, 2, 3].map(async () => join(await newFolder(), 'data')));
    const file = join(await newFolder(), 'backup.tar.gz');
    await fillPgliteFolder(join(String(data), 'pg'));
    const key = (await openOwnerKey(String(data))).made ?? '';
    /** Runs the app on a data folder while `use` runs. */
    const withApp = async <T>(folder: string, use: (url: string, storage: Storage) => Promise<T>): Promise<T> => {
      const storage = await createPgliteStorage({ folder: join(folder, 'pg') });
      const { people } = openedPeople(storage);
      const app = await runApp({ people, ownerKey: await openOwnerKey(folder) }, { storage });
      const result = await use(app.url, storage);
      await app.close();
      people.close();
      await storage.close();
      return result;
    };
    const pages = await withApp(String(data), async (url, storage) => {
      const ada = await openedPeople(storage).calls.addPerson({ name: 'Ada', role: 'approver' });
      return [await signInWith(url, key), await signInWith(url, ada.key)];
    });
    await run(['backup', file, '--data', String(data)]);
    for (const folder of [plain, ended]) {
      await mkdir(String(folder), { mode: 0o700 });
      for (const name of ['owner-key', 'owner-key.json'])
        await copyFile(join(String(data), name), join(String(folder), name));
    }
    expect((await run(['restore', file, '--data', String(plain)])).code).toBe(EXIT.OK);
    expect((await run(['restore', file, '--data', String(ended), '--revoke-access'])).code).toBe(EXIT.OK);
    const statuses = (folder: string | undefined) =>
      withApp(String(folder), (url) =>
        Promise.all(
          [...pages, { authorization: `Bearer ${key}` }].map(
            async (headers) => (await ask(url, '/owner/api/me', { headers })).status,
          ),
        ),
      );
    expect([await statuses(plain), await statuses(ended)]).toEqual([
      [200, 200, 200],
      [401, 401, 200],
    ]);
  });

  test('that does not exist is not created by backup or migrate', async () => {
    const data = join(await newFolder(), 'data');
    const file = join(await newFolder(), 'backup.tar.gz');
    for (const args of [
      ['backup', file],
      ['migrate', 'status'],
      ['migrate', 'up'],
    ])
      expect(await run([...args, '--data', data])).toMatchObject({ code: EXIT.USAGE, out: '' });
    await expect(readdir(data)).rejects.toThrow('ENOENT');
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test('is not restored from a file of another kind', async () => {
    const folder = await newFolder();
    const file = join(folder, 'letter');
    await writeFile(file, 'Hello');
    expect(await run(['restore', file, '--data', join(folder, 'data')])).toMatchObject({
      code: EXIT.USAGE,
      err: `parley: ${file} was not restored: This file is not a dump of an embedded database, or it is damaged.`,
    });
    expect(await readdir(join(folder, 'data'))).toEqual([]);
  });
});

describe('PostgreSQL', () => {
  const DATABASE_URL = 'postgres://x:secret@127.0.0.1:1/x';

  test('is backed up with pg_dump, as the error says', async () => {
    for (const command of ['backup', 'restore']) {
      const { code, err } = await run([command, '/nowhere/file'], { DATABASE_URL });
      expect(code).toBe(EXIT.USAGE);
      expect(err).toContain('pg_dump --format=custom');
    }
  });

  test('is named without its password if it cannot be reached', async () => {
    const { code, err } = await run(['migrate', 'status'], { DATABASE_URL });
    expect(code).toBe(EXIT.UNREACHABLE);
    expect(err).toMatch(/^parley: The database cannot be reached/);
    expect(err).not.toContain('secret');
  });

  test('is partitioned by migrate up with a number', async () => {
    const refused = (args: readonly string[], environment = {}) => run(['migrate', ...args, '--json'], environment);
    for (const count of ['1', '1025', '4.5', 'many']) {
      const { code, err } = await refused(['up', '--partitions', count], { DATABASE_URL });
      expect([code, err]).toEqual([EXIT.USAGE, expect.stringContaining('Expected a whole number from 2 to 1024.')]);
    }
    expect((await refused(['status', '--partitions', '4'], { DATABASE_URL })).err).toContain(
      'works with "parley migrate up"',
    );
    expect((await refused(['up', '--partitions', '4'])).err).toContain(
      '--partitions needs PostgreSQL: set DATABASE_URL.',
    );
  });

  test('is distributed over Citus only by migrate up, and not together with partitions', async () => {
    const refused = async (args: readonly string[], environment = {}) =>
      (await run(['migrate', ...args], environment)).err;
    const PARTS = ['--citus', '--partitions', '4'];
    expect(await refused(['status', '--citus'], { DATABASE_URL })).toContain('works with "parley migrate up"');
    expect(await refused(['up', '--citus'])).toContain('--citus needs PostgreSQL: set DATABASE_URL.');
    expect(await refused(['up', ...PARTS], { DATABASE_URL })).toContain('cannot be combined');
    expect(await refused(['up', '--shards', '4'], { DATABASE_URL })).toContain('--shards works with --citus only.');
  });

  test.skipIf(databaseUrl === null)('without Citus is not distributed', async () => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    const { code, err } = await run(['migrate', 'up', '--citus'], { DATABASE_URL: url });
    expect([code, err]).toEqual([EXIT.REFUSED, expect.stringContaining('create extension citus')]);
  });

  test.skipIf(databaseUrl === null)('reports its partitions', async () => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    const { code, out } = await run(['migrate', 'up', '--partitions', '4'], { DATABASE_URL: url });
    expect([code, out.split('\n').slice(-2)]).toEqual([
      EXIT.OK,
      ['The tables are up to date: schema 5.', '4 partitions.'],
    ]);
    const status = await run(['migrate', 'status', '--json'], { DATABASE_URL: url });
    expect(JSON.parse(status.out)).toMatchObject({ database: 'postgresql', version: 5, partitions: 4 });
  });
});
