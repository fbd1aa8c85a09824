import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettingTexts } from '@parley/http-host/program';
import { describe, expect, test } from 'vitest';
import { archive, dataFolder, judgeOpenFiles, readVersion } from '../../src/cli/doctor/checks.ts';
import { embeddedDatabase, judgeClock } from '../../src/cli/doctor/database-checks.ts';
import type { Deployment } from '../../src/cli/doctor/deployment.ts';
import { publicUrl } from '../../src/cli/doctor/site-checks.ts';
import { secretsRemover } from '../../src/cli/terminal.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { newFolder } from '../new-folder.ts';
import { startServer } from '../retain/altering-proxy.ts';

/** The input of the checks for a deployment in which no server answers. */
const deploymentOf = (environment: SettingTexts, token?: string): Deployment => ({
  settings: readSettings(environment),
  version: '0.1.0',
  polls: 1_000,
  longPoll: false,
  token,
  postgres: undefined,
  postgresFault: undefined,
  site: undefined,
  siteFault: undefined,
  close: async () => undefined,
});

test.each([
  ['24.1.0', 'ok'],
  ['22.0.0', 'ok'],
  ['20.19.0', 'warn'],
  ['20.18.3', 'fail'],
  ['18.20.0', 'fail'],
])('Node %s is %s', (version, standing) => {
  expect(readVersion(version).standing).toBe(standing);
});

test('the limit of open files must be high enough for the waiting agents', () => {
  expect(judgeOpenFiles(20_000, 10_000)).toEqual({
    standing: 'ok',
    found: 'the limit of 20000 open files allows 19900 waiting agents',
  });
  expect(judgeOpenFiles(1_024, 1_000)).toMatchObject({
    standing: 'warn',
    found: 'the limit of 1024 open files allows 924 waiting agents, but 1000 are expected',
    advice: expect.stringContaining('LimitNOFILE=2000'),
  });
});

test('clocks may differ by two seconds more than the duration of the query', () => {
  const judge = (there: number, before: number, after: number) =>
    judgeClock(there, { before, after, place: 'the database' });
  expect(judge(10_000, 8_500, 8_900).standing).toBe('ok');
  expect(judge(10_000, 12_000, 12_050).standing).toBe('ok');
  expect(judge(20_000, 12_000, 12_050).found).toBe('the clock of the database is 8.0 s ahead of this machine');
  expect(judge(10_000, 12_001, 12_050).found).toBe('the clock of the database is 2.0 s behind this machine');
});

describe('the archive', () => {
  const look = (environment: SettingTexts) => archive.run(deploymentOf({ PARLEY_RETAIN_DAYS: '30', ...environment }));
  const STORE = {
    PARLEY_RETAIN_TO: 's3://archive/ended',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'hidden-secret',
  };
  const answering = (status: number, code: string) =>
    startServer((_asked, answer) => answer.writeHead(status).end(`<Error><Code>${code}</Code></Error>`));

  test('is not examined without a retention', async () => {
    expect(await archive.run(deploymentOf({}))).toBeUndefined();
  });

  test('in a folder that can be made is fine; in a file it is not', async () => {
    const folder = await newFolder();
    const place = join(folder, 'not', 'yet');
    const found = `${place} answers; to test writing a file too, run parley retain --check`;
    expect(await look({ PARLEY_RETAIN_TO: place })).toEqual({ standing: 'ok', found });
    await writeFile(join(folder, 'not'), '');
    expect(await look({ PARLEY_RETAIN_TO: place })).toMatchObject({
      standing: 'fail',
      found: expect.stringContaining(`The folder ${place} cannot be written (ENOTDIR).`),
      advice: expect.stringContaining('parley retain --check'),
    });
  });

  test('in a store that answers is fine; one that does not answer or refuses is not', async () => {
    const at = (endpoint: string) => look({ ...STORE, AWS_ENDPOINT_URL_S3: endpoint });
    const found = 's3://archive/ended/ answers; to test writing a file too, run parley retain --check';
    expect(await at(await answering(404, 'NoSuchKey'))).toEqual({ standing: 'ok', found });
    expect(await at(await answering(404, 'NoSuchBucket'))).toMatchObject({
      standing: 'fail',
      found: expect.stringContaining('Create the bucket archive'),
    });
    expect(await at('http://127.0.0.1:1')).toMatchObject({
      standing: 'fail',
      found: expect.stringContaining('The store at http://127.0.0.1:1 cannot be reached'),
    });
  });

  test('is never named with its secret', () => {
    const remove = secretsRemover(
      deploymentOf({ PARLEY_RETAIN_DAYS: '30', ...STORE, AWS_SESSION_TOKEN: 'hidden-token' }),
    );
    expect(remove('hidden-secret hidden-token')).toBe('*** ***');
  });
});

describe('the data folder', () => {
  const look = (folder: string, more: SettingTexts = {}) =>
    dataFolder.run(deploymentOf({ PARLEY_DATA: folder, ...more }));

  test('with a key that only its owner can read passes', async () => {
    const folder = await folderWith(0o700, 0o600);
    expect(await look(folder)).toEqual({ standing: 'ok', found: `${folder}, mode 700` });
  });

  test('with a key that others can read fails', async () => {
    const folder = await folderWith(0o700, 0o640);
    expect(await look(folder)).toMatchObject({
      standing: 'fail',
      found: `other users can read ${folder}/owner-key (mode 640)`,
      advice: expect.stringContaining(`chmod 600 ${folder}/owner-key`),
    });
  });

  test('that other users can open gets a warning', async () => {
    const folder = await folderWith(0o755, 0o600);
    expect(await look(folder)).toMatchObject({ standing: 'warn', advice: `Run: chmod 700 ${folder}` });
  });

  test('may be missing if it can be created', async () => {
    const folder = await newFolder();
    expect(await look(join(folder, 'not', 'yet'))).toMatchObject({ standing: 'ok' });
    await writeFile(join(folder, 'file'), '');
    expect(await look(join(folder, 'file', 'data'))).toMatchObject({ standing: 'fail' });
  });

  test('is not checked if the key and the database are elsewhere', async () => {
    const elsewhere = { DATABASE_URL: 'postgres://db/parley', PARLEY_OWNER_KEY: `pok_${'k'.repeat(43)}` };
    expect(await look('/proc/none', elsewhere)).toBe(undefined);
  });

  async function folderWith(mode: number, keyMode: number): Promise<string> {
    const folder = join(await newFolder(), 'data');
    await mkdir(folder);
    await writeFile(join(folder, 'owner-key'), 'pok_…');
    await chmod(join(folder, 'owner-key'), keyMode);
    await chmod(folder, mode);
    return folder;
  }
});

test('settings for several processes are reported for the embedded database', async () => {
  const folder = await newFolder();
  expect(await embeddedDatabase.run(deploymentOf({ PARLEY_DATA: folder }))).toMatchObject({ standing: 'ok' });
  const shared = deploymentOf({ PARLEY_DATA: folder, REDIS_URL: 'redis://127.0.0.1:6379' });
  expect(await embeddedDatabase.run(shared)).toMatchObject({ standing: 'warn' });
});

describe('the public address', () => {
  const standing = (environment: SettingTexts) => publicUrl.run(deploymentOf(environment));

  test.each<[SettingTexts, string, string]>([
    [{}, 'ok', 'PARLEY_PUBLIC_URL is not needed: only programs on this machine can connect'],
    [{ PARLEY_PUBLIC_URL: 'http://localhost:4100' }, 'ok', 'http://localhost:4100'],
    [
      { PARLEY_PUBLIC_URL: 'https://parley.example.com', PARLEY_TRUSTED_PROXIES: '10.0.0.7' },
      'ok',
      'https://parley.example.com',
    ],
    [{ HOST: '0.0.0.0' }, 'warn', 'PARLEY_PUBLIC_URL is not set'],
    [{ PARLEY_PUBLIC_URL: 'http://parley.example.com' }, 'warn', 'is plain HTTP'],
    [{ PARLEY_PUBLIC_URL: 'https://parley.example.com' }, 'warn', 'PARLEY_TRUSTED_PROXIES is empty'],
    [{ PARLEY_TRUSTED_PROXIES: '10.0.0.7,0.0.0.0/0' }, 'fail', 'PARLEY_TRUSTED_PROXIES contains 0.0.0.0/0'],
    [
      { PARLEY_PUBLIC_URL: 'http://parley.example.com', PARLEY_TRUSTED_PROXIES: '0.0.0.0/0' },
      'fail',
      'PARLEY_TRUSTED_PROXIES contains 0.0.0.0/0',
    ],
    [{ PARLEY_TRUSTED_PROXIES: '::/0' }, 'fail', 'PARLEY_TRUSTED_PROXIES contains ::/0'],
  ])('by %j is %s', async (environment, wanted, found) => {
    expect(await standing(environment)).toMatchObject({ standing: wanted, found: expect.stringContaining(found) });
  });
});

test('secrets are removed from the messages of a driver', () => {
  const remove = secretsRemover(
    deploymentOf(
      {
        DATABASE_URL: 'postgres://parley:s%40cret-1@db/parley',
        REDIS_URL: 'redis://:secret-2@redis:6379',
        PARLEY_OWNER_KEY: `pok_${'k'.repeat(43)}`,
        PARLEY_WEBHOOK_URL: 'https://example.com/hook?key=secret-3',
        PARLEY_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
        PARLEY_CERTIFICATE_KEYS: `certkey_${'A'.repeat(43)}=`,
      },
      'prt_secret-4',
    ),
  );
  const said = `no s%40cret-1, s@cret-1, secret-2, pok_${'k'.repeat(43)}, https://example.com/hook?key=secret-3, whsec_${'A'.repeat(32)}, ${'A'.repeat(43)}= or prt_secret-4`;
  expect(remove(said)).toBe('no ***, ***, ***, ***, ***, ***, *** or ***');
});
