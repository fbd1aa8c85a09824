import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { ownerListings } from '@parley/core';
import { overHttp, redeem } from '@parley/core/client';
import { type Agent, type Mission, type OwnerApi, PARTS, type Part, runMission } from '@parley/missions';
import { createLog, type RunningServer, readSettings, startServer } from '@parley/owner-app';
import { dumpPglite } from '@parley/storage-pg';
import { FOLD_VERSION } from '../../../packages/core/src/areas/domain.ts';
import { createOwnerClient } from '../../../packages/owner-app/src/cli/client/owner-client.ts';
import { ownerApi } from '../../../packages/owner-app/src/cli/demo/demo.ts';
import { MIGRATIONS } from '../../../packages/storage-pg/src/migrations/migrations.ts';
import { findPrograms } from '../../../scripts/servers/postgres-programs.ts';
import { restAgent } from './doors.ts';
import { FILES, GOLDEN_DATABASES, type GoldenDatabase, type GoldenSession, type SignIn } from './golden-databases.ts';
import { openDatabase } from './stores.ts';
import { loadStory, MODERATED, type Story } from './stories.ts';

interface Stage {
  readonly story: Story;
  /** All parts before this part are played whole. */
  readonly part: Part;
  /** Number of steps of `part` that are played. */
  readonly steps: number;
}

/** Where each session stops. The session `draft` is not started. */
const STAGES: Readonly<Record<string, Stage>> = {
  draft: { story: 'offline-sync', part: 'discussion', steps: 0 },
  discussion: { story: 'payment-capture', part: 'discussion', steps: 10 },
  contract: { story: 'signed-webhooks', part: 'contract', steps: 5 },
  approved: { story: 'offline-sync', part: 'readiness', steps: 0 },
  build: { story: MODERATED, part: 'verification', steps: 20 },
  completed: { story: 'payment-capture', part: 'verification', steps: Number.POSITIVE_INFINITY },
};

const PEOPLE = { viewer: 'Vera', operator: 'Otto', approver: 'Ada Lovelace' } as const;

/** Writes a database of the current version on PGlite, and another on PostgreSQL. */
export async function writeGoldenDatabases(serverUrl: string): Promise<void> {
  const folder = new URL(`schema-${MIGRATIONS.length}-fold-${FOLD_VERSION}/`, GOLDEN_DATABASES);
  await writeOne(new URL('pglite/', folder), {}, async (data) => {
    const dump = await dumpPglite({ folder: join(data, 'pg') });
    return [FILES.pglite, packed(gunzipSync((await dump?.arrayBuffer()) ?? new ArrayBuffer(0)))];
  });
  const database = await openDatabase(serverUrl);
  try {
    const dump = async () => [FILES.postgres, gzipSync(dumpPostgres(database.url), { level: 9 })] as const;
    await writeOne(new URL('postgresql/', folder), { DATABASE_URL: database.url }, dump);
  } finally {
    await database.remove();
  }
}

/**
 * A data folder contains three copies of the same system tables. A window of 16 MB compresses the copies to a third of
 * the size of gzip.
 */
const packed = (archive: Uint8Array): Uint8Array =>
  brotliCompressSync(archive, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  });

type Dump = (dataFolder: string) => Promise<readonly [name: string, bytes: Uint8Array]>;

async function writeOne(folder: URL, settings: Readonly<Record<string, string>>, dump: Dump): Promise<void> {
  await mkdir(folder, { recursive: true });
  const data = await mkdtemp(join(tmpdir(), 'parley-golden-'));
  const server = await startServer(
    readSettings({
      PORT: '0',
      PARLEY_DATA: data,
      PARLEY_RATE_ADDRESS: '100000',
      PARLEY_RATE_REDEEM: '1000',
      ...settings,
    }),
    createLog('error', process.stderr),
  );
  const record = await fill(server).finally(() => server.close());
  const [name, bytes] = await dump(data);
  await writeFile(new URL(name, folder), bytes);
  await writeFile(new URL(FILES.record, folder), `${JSON.stringify(record, null, 2)}\n`);
  for (const file of [FILES.key, FILES.keyHash]) await copyFile(join(data, file), new URL(file, folder));
  await rm(data, { recursive: true });
}

/**
 * The tables as statements without COPY, so that a client library can run them. Leaves out the lines that only psql
 * understands.
 */
function dumpPostgres(url: string): string {
  const bin = findPrograms(['pg_dump']);
  if (bin === undefined) throw new Error('pg_dump is not installed.');
  const flags = ['--rows-per-insert=100', '--no-owner', '--no-privileges', '--table=parley_*', `--dbname=${url}`];
  const text = execFileSync(join(bin, 'pg_dump'), flags, { encoding: 'utf8', maxBuffer: 1_000_000_000 });
  return text.replaceAll(/^\\(un)?restrict .*$/gm, '');
}

async function fill({ url, madeKey = '' }: RunningServer): Promise<GoldenDatabase> {
  const owner = ownerApi({ client: createOwnerClient(url, madeKey), listings: ownerListings });
  const people = await addPeople(url, madeKey);
  const sessions: GoldenSession[] = [];
  for (const [name, stage] of Object.entries(STAGES)) sessions.push(await playStage(url, owner, name, stage));
  const [draft] = sessions;
  const { code } = await owner.call('invite', draft?.session_id ?? '', { role: 'moderator' });
  const made_at = new Date().toISOString();
  const sign_in = await signIn(url, madeKey);
  const listed = await Promise.all(
    sessions.map(async (session) => ({ ...session, ...(await standing(owner, session)) })),
  );
  return { made_at, sign_in, invitation: String(code), people, sessions: listed };
}

async function playStage(url: string, owner: OwnerApi, name: string, stage: Stage): Promise<GoldenSession> {
  const whole = await loadStory(stage.story);
  const tokens: Partial<Record<Agent, string>> = {};
  const base = `${url}/api/public/agent`;
  const { sessionId } = await runMission(cut(whole, stage), {
    owner: {
      createSession: (input) => owner.createSession({ ...input, title: `${whole.session.title}: ${name}` }),
      call: async (operation, id, input) =>
        name === 'draft' && operation === 'start' ? {} : owner.call(operation, id, input),
    },
    async agents({ role, code }) {
      const pass = await redeem(overHttp(base), { code });
      tokens[role] = pass.token;
      return restAgent(base, pass);
    },
  });
  const next = { part: stage.part, steps: whole[stage.part].slice(stage.steps) };
  return { stage: name, session_id: sessionId, ...(await standing(owner, { session_id: sessionId })), tokens, next };
}

function cut(mission: Mission, { part, steps }: Stage): Mission {
  const end = PARTS.indexOf(part);
  const parts = PARTS.map((name, index) => [
    name,
    mission[name].slice(0, index < end ? undefined : index > end ? 0 : steps),
  ]);
  return { ...mission, ...Object.fromEntries(parts) };
}

async function standing(owner: OwnerApi, { session_id }: Pick<GoldenSession, 'session_id'>) {
  const { title, state, head } = Object(await owner.call('view', session_id, {}));
  return { title, status: state.status, phase: state.phase, head };
}

async function addPeople(url: string, key: string): Promise<GoldenDatabase['people']> {
  const people: GoldenDatabase['people'][number][] = [];
  for (const [role, name] of Object.entries(PEOPLE)) {
    const response = await post(url, 'people', { name, role }, { authorization: `Bearer ${key}` });
    if (response.status === 404) return [];
    const { key: own } = Object(await response.json());
    people.push({ name, role, key: own, sign_in: await signIn(url, own) });
  }
  return people;
}

async function signIn(url: string, key: string): Promise<SignIn> {
  const response = await post(url, 'sign-in', { owner_key: key }, { 'sec-fetch-site': 'same-origin' });
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return { cookie, 'parley-page-key': Object(await response.json()).page_key };
}

const post = (url: string, path: string, body: object, headers: Record<string, string>): Promise<Response> =>
  fetch(`${url}/owner/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
