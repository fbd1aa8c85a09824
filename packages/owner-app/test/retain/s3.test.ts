import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStorage } from '@parley/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { type Archive, CHECK_FILE } from '../../src/server/retain/archive.ts';
import { addressOf, createS3Archive, type S3Options, type S3Place } from '../../src/server/retain/open-archive.ts';
import { checkArchive, verifyExport, writeExport } from '../../src/server/retain/retention.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { SESSION } from '../running-app.ts';
import { startAlteringProxy, startServer, withChangedByte } from './altering-proxy.ts';
import { DAYS, exportedFiles, openRetained, sha256 } from './retained.ts';
import { BUCKET, S3_SERVERS } from './s3-server.ts';

describe.each(S3_SERVERS)('the archive in %s', (_name, start) => {
  const opened = async () => ({ world: await openRetained(createMemoryStorage()), server: await start() });

  test('takes two sessions that ended, in files that parley verify-log verifies; a session that runs stays', async () => {
    const { world, server } = await opened();
    const { owner } = world;
    const ended = [await world.endedSession('First'), await world.endedSession('Second')];
    const running = await owner.createSession({ ...SESSION, title: 'Running' });
    const reports = await Promise.all(ended.map((sessionId) => owner.verifyLog(sessionId)));
    world.afterDays(DAYS, 1);
    const archive = createS3Archive(server.place);
    const outcomes = (await world.sweep(archive)).map(({ session_id, outcome }) => [session_id, outcome]);
    expect(outcomes.toSorted()).toEqual(ended.map((sessionId) => [sessionId, 'erased']).toSorted());

    const files = ended.map((sessionId, index) =>
      exportedFiles(sessionId, reports[index]?.head ?? { seq: 0, hash: '' }),
    );
    expect(await server.names()).toEqual(
      files.flatMap(({ documents, log, sums }) => [documents, log, sums]).toSorted(),
    );
    for (const [index, sessionId] of ended.entries()) {
      await expect(owner.view(sessionId)).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
      const { documents = '', log = '', sums = '' } = files[index] ?? {};
      const text = await textOf(archive.read(log));
      expect(await textOf(archive.read(sums))).toBe(
        `${sha256(text)}  ${log}\n${sha256(await textOf(archive.read(documents)))}  ${documents}\n`,
      );
      const { seq, hash } = reports[index]?.head ?? {};
      expect(await verified(text, `${seq}:${hash}`)).toBe(EXIT.OK);
      expect(await verified(text.replace('COMPLETED', 'CANCELLED'), `${seq}:${hash}`)).toBe(EXIT.MISMATCH);
    }
    expect(await owner.verifyLog(running.session_id)).toMatchObject({ ok: true });
    const erased = (await owner.audit({ kind: 'session.erased' })).events.map(({ body }) => body.exported_to);
    expect(erased.toSorted()).toEqual(files.map(({ log }) => `s3://${BUCKET}/ended/${log}`).toSorted());
  });

  test('finishes after a crash between the upload and the erasure, with the same objects', async () => {
    const { world, server } = await opened();
    const sessionId = await world.endedSession();
    world.afterDays(DAYS, 1);
    const archive = createS3Archive(server.place);
    await verifyExport(archive, sessionId, await writeExport(world.owner, archive, sessionId));
    const names = await server.names();
    expect(await world.sweep(archive)).toMatchObject([{ session_id: sessionId, outcome: 'erased' }]);
    expect(await server.names()).toEqual(names);
    expect(names).toHaveLength(3);
  });

  test('keeps the export of a longer log if an older export of the same session is written after it', async () => {
    const { world, server } = await opened();
    const { owner } = world;
    const sessionId = await world.endedSession();
    const archive = createS3Archive(server.place);
    const older = await owner.retention.head(sessionId);
    let isExported = false;
    const late: Archive = {
      ...archive,
      async write(name, chunks) {
        if (!isExported) {
          isExported = true;
          await owner.setModeratorEntitlement({ entitled: false });
          await verifyExport(archive, sessionId, await writeExport(owner, archive, sessionId));
        }
        return await archive.write(name, chunks);
      },
    };
    expect(await writeExport(owner, late, sessionId)).toMatchObject(older);
    const newer = await owner.retention.head(sessionId);
    expect(newer.seq).toBe(older.seq + 1);
    const written = await writeExport(owner, archive, sessionId);
    await expect(verifyExport(archive, sessionId, written)).resolves.toMatchObject({ head: newer });
  });

  test.each([
    ['upload', 'log'],
    ['upload', 'documents'],
    ['upload', 'sums'],
    ['download', 'log'],
    ['download', 'documents'],
    ['download', 'sums'],
  ] as const)('keeps a session if the %s of the %s is altered, and erases it later', async (way, file) => {
    const { world, server } = await opened();
    const sessionId = await world.endedSession();
    await world.addDocument(sessionId, 'A contract.');
    const { [file]: name } = exportedFiles(sessionId, await world.owner.retention.head(sessionId));
    world.afterDays(DAYS, 1);
    const endpoint = await startAlteringProxy(server.endpoint, {
      [way]: (path: string, bytes: Buffer) => (path.endsWith(name) ? withChangedByte(bytes, 9) : undefined),
    });
    const altered = createS3Archive({ ...server.place, endpoint });
    expect(await world.sweep(altered)).toMatchObject([{ session_id: sessionId, outcome: 'failed' }]);
    expect(await world.owner.retention.head(sessionId)).toMatchObject({ seq: 4 });
    expect((await world.owner.audit({ kind: 'session.erased' })).events).toEqual([]);
    expect(await world.sweep(createS3Archive(server.place))).toMatchObject([{ outcome: 'erased' }]);
  });

  test('takes a large text, and reads all of it back', async () => {
    const { world, server } = await opened();
    const archive = createS3Archive(server.place);
    const sessionId = await world.endedSession();
    await world.addDocument(sessionId, 'ä€😀'.repeat(1_000_000));
    const head = await writeExport(world.owner, archive, sessionId);
    await expect(verifyExport(archive, sessionId, head)).resolves.toMatchObject({ head: { seq: 4 } });
  });

  test('is checked by a file that is written and read back', async () => {
    const server = await start();
    const archive = createS3Archive(server.place);
    await expect(archive.examine()).resolves.toBeUndefined();
    expect(await server.names()).toEqual([]);
    await checkArchive(archive);
    expect(await server.names()).toEqual([CHECK_FILE]);
    await expect(archive.examine()).resolves.toBeUndefined();
    const download = (_path: string, bytes: Buffer) => withChangedByte(bytes, 0);
    const endpoint = await startAlteringProxy(server.endpoint, { download });
    await expect(checkArchive(createS3Archive({ ...server.place, endpoint }))).rejects.toThrow(
      `s3://${BUCKET}/ended/${CHECK_FILE} was written, but reading it back gave other bytes. Check the store.`,
    );
  });

  const SECRET = 'a-secret-that-nobody-may-read';
  test.each([
    [{ secretAccessKey: SECRET }, '403 SignatureDoesNotMatch. Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'],
    [{ accessKeyId: 'UNKNOWN' }, '403 InvalidAccessKeyId. Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'],
    [{ bucket: 'no-such-bucket' }, '404 NoSuchBucket. Create the bucket no-such-bucket, or correct PARLEY_RETAIN_TO.'],
  ])('keeps all sessions with %j, and the first failure says what to do', async (wrong, advice) => {
    const { world, server } = await opened();
    await world.endedSession('First');
    await world.endedSession('Second');
    world.afterDays(DAYS, 1);
    const archive = createS3Archive({ ...server.place, ...wrong });
    expect(await world.sweep(archive)).toMatchObject([{ outcome: 'failed' }]);
    expect(world.counted).toEqual(['failed']);
    expect(world.warnings).toMatchObject([{ name: 'ArchiveUnavailable', message: expect.stringContaining(advice) }]);
    expect(String(world.warnings)).not.toContain(SECRET);
    await expect(archive.examine()).rejects.toThrow(advice);
    expect((await world.sweep(createS3Archive(server.place))).map(({ outcome }) => outcome)).toEqual([
      'erased',
      'erased',
    ]);
  });
});

/** An S3 archive at `endpoint`, the address of a server that gives faulty answers. */
const placeAt = (endpoint: string): S3Place => ({
  bucket: BUCKET,
  prefix: '',
  endpoint,
  region: 'eu-north-1',
  isPathStyle: true,
  accessKeyId: 'id',
  secretAccessKey: 'secret',
  sessionToken: undefined,
});

describe('a store that fails', () => {
  async function failure(endpoint: string, options: S3Options = {}) {
    const world = await openRetained(createMemoryStorage());
    const ended = [await world.endedSession('First'), await world.endedSession('Second')];
    world.afterDays(DAYS, 1);
    const outcomes = (await world.sweep(createS3Archive(placeAt(endpoint), options))).map(({ outcome }) => outcome);
    for (const sessionId of ended)
      expect(await world.owner.verifyLog(sessionId)).toMatchObject({ ok: true, events: 3 });
    const [{ name = '', message = '' } = {}] = world.warnings.filter((one) => one instanceof Error);
    return { outcomes, name, message };
  }
  const refusing = (status: number, code: string) =>
    startServer((_asked, answer) => {
      answer.writeHead(status, { 'content-type': 'application/xml', location: 'http://127.0.0.1:1/' });
      answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`);
    });

  test('without an answer at its address ends the sweep', async () => {
    expect(await failure('http://127.0.0.1:1')).toEqual({
      outcomes: ['failed'],
      name: 'ArchiveUnavailable',
      message:
        'The store at http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Check AWS_ENDPOINT_URL_S3 and the network.',
    });
  });

  test('is named with the reason if its name has several addresses', async () => {
    const { name, message } = await failure('http://localhost:1');
    expect(name).toBe('ArchiveUnavailable');
    expect(message).toMatch(/^The store at http:\/\/localhost:1 cannot be reached: .*ECONNREFUSED/);
  });

  test.each([
    [301, 'PermanentRedirect', 'Set AWS_REGION, which is eu-north-1 now, to the region of the bucket.'],
    [400, 'AuthorizationHeaderMalformed', 'Set AWS_REGION, which is eu-north-1 now, to the region of the bucket.'],
    [
      403,
      'AccessDenied',
      `Allow the access key in AWS_ACCESS_KEY_ID the actions s3:PutObject, s3:GetObject and s3:ListBucket in the bucket ${BUCKET}`,
    ],
    [403, 'Unheard', 'Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'],
    [403, 'RequestTimeTooSkewed', 'Correct the clock of this machine.'],
    [400, 'ExpiredToken', 'Get new temporary credentials'],
  ])('with %d %s ends the sweep, and says what to do', async (status, code, advice) => {
    const { outcomes, name, message } = await failure(await refusing(status, code));
    expect([outcomes, name]).toEqual([['failed'], 'ArchiveUnavailable']);
    expect(message).toContain(`with ${status} ${code}. ${advice}`);
  });

  test.each([
    [503, 'SlowDown'],
    [400, 'BadDigest'],
    [413, ''],
    [204, ''],
  ])('with %d %s keeps each session', async (status, code) => {
    const { outcomes, name, message } = await failure(await refusing(status, code));
    expect([outcomes, name]).toEqual([['failed', 'failed'], 'Error']);
    expect(message).toContain('A running server repeats the export within an hour');
  });

  test('that never answers keeps each session', async () => {
    const { outcomes, message } = await failure(await startServer(() => undefined), { idleMs: 50 });
    expect(outcomes).toEqual(['failed', 'failed']);
    expect(message).toContain('broke off the connection: no byte was sent or received for 0.05 seconds');
  });

  test('that breaks off the upload keeps each session', async () => {
    const { outcomes, message } = await failure(
      await startServer((asked) => asked.once('data', () => asked.destroy())),
    );
    expect(outcomes).toEqual(['failed', 'failed']);
    expect(message).toContain('broke off the connection');
  });

  test('that breaks off the reading keeps each session', async () => {
    const endpoint = await startServer((asked, answer) => {
      asked.resume();
      if (asked.method === 'PUT') return answer.end();
      answer.writeHead(200, { 'content-length': '1000' });
      return answer.write('{', () => answer.destroy());
    });
    const { outcomes, message } = await failure(endpoint);
    expect(outcomes).toEqual(['failed', 'failed']);
    expect(message).toContain('The store broke off its answer');
  });

  test('ends a request that is aborted', async () => {
    const stop = new AbortController();
    const endpoint = await startServer(() => stop.abort());
    const archive = createS3Archive(placeAt(endpoint), { signal: stop.signal });
    await expect(archive.examine()).rejects.toThrow('broke off the connection: This operation was aborted');
  });
});

test.each([
  [{ endpoint: undefined, isPathStyle: false }, `https://${BUCKET}.s3.eu-north-1.amazonaws.com/a/b.jsonl`],
  [{ endpoint: undefined, isPathStyle: true }, `https://s3.eu-north-1.amazonaws.com/${BUCKET}/a/b.jsonl`],
  [{ endpoint: 'http://minio:9000', isPathStyle: true }, `http://minio:9000/${BUCKET}/a/b.jsonl`],
  [{ endpoint: 'https://example.com:444/s3', isPathStyle: false }, `https://${BUCKET}.example.com:444/s3/a/b.jsonl`],
])('an object with %j is at %s', (style, address) => {
  expect(addressOf({ ...placeAt(''), ...style }, 'a/b.jsonl').href).toBe(address);
});

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString('utf8');
}

/** Returns the exit code of `parley verify-log` for a log. */
async function verified(text: string, head: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-verify-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'log.jsonl'), text);
  return await runCli(['verify-log', join(folder, 'log.jsonl'), '--head', head], fakeTerminal({}, 140));
}
