import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { drawsFrom } from '../processes/support/draws.ts';
import { type OwnerServer, startOwnerServer } from '../processes/support/owner-server.ts';
import { startTalking } from './support/talking.ts';
import { newName, until } from './support/target.ts';

const isShort = process.env.ADVERSARY === 'short';
const COPIES = isShort ? 2 : Number(process.env.FOLDER_COPIES ?? 30);
const SESSIONS = 4;
const OWNER_KEY = `pok_${'v'.repeat(43)}`;
const MOST = '1000000';

/** Maps each session id to the number of the last event acknowledged before the database folder was copied. */
type Acknowledged = ReadonlyMap<string, number>;

const serve = (data: string): Promise<OwnerServer> =>
  startOwnerServer({
    ...{ PARLEY_DATA: data, PARLEY_OWNER_KEY: OWNER_KEY, PARLEY_LOG_LEVEL: 'fatal' },
    ...{ PARLEY_RATE_TOKEN: MOST, PARLEY_RATE_ADDRESS: MOST, PARLEY_RATE_REDEEM: MOST },
  });

/**
 * Copies the database folder without its lock file. If `isPaused`, the server is stopped during the copy, otherwise it
 * goes on writing.
 */
async function copy(server: OwnerServer, from: string, to: string, isPaused: boolean): Promise<void> {
  if (isPaused) server.process.kill('SIGSTOP');
  try {
    // Ignores errors of `cp`: the running server may remove a file before the file is copied.
    execFileSync('sh', ['-c', 'cp -r "$0" "$1" 2>/dev/null || true', from, to]);
  } finally {
    if (isPaused) server.process.kill('SIGCONT');
  }
  for (const name of await readdir(join(to, 'pg')))
    if (name !== 'postgres') await rm(join(to, 'pg', name), { recursive: true });
}

/**
 * Starts a server on the copy and returns the faults of its logs. If the server does not start, returns only the
 * message of its error.
 */
async function faultsOf(data: string, acknowledged: Acknowledged): Promise<string[]> {
  const opened = await serve(data).catch((error: Error) => error);
  if (opened instanceof Error) return [opened.message];
  try {
    const faults: string[] = [];
    for (const [sessionId, seq] of acknowledged) {
      const url = `${opened.url}/owner/api/sessions/${sessionId}/verify-log`;
      const response = await fetch(url, { headers: { authorization: `Bearer ${OWNER_KEY}` } });
      const { ok, events } = Object(await response.json());
      if (ok !== true || events < seq) faults.push(`${response.status}: ${events} of ${seq} events hold`);
    }
    return faults;
  } finally {
    await opened.end('SIGKILL');
  }
}

test(`${COPIES} copies of the folder of a server that takes turns hold every acknowledged turn`, async () => {
  const folder = newName('copies');
  await mkdir(folder);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  const server = await serve(data);
  onTestFinished(() => server.end('SIGKILL'));
  const talk = await startTalking({ url: server.url, ownerKey: OWNER_KEY, sessions: SESSIONS });
  const draws = drawsFrom(7);
  const copies: { readonly name: string; readonly isPaused: boolean; readonly acknowledged: Acknowledged }[] = [];
  for (let index = 0; index < COPIES; index += 1) {
    const due = talk.turns() + draws.whole(20, isShort ? 60 : 400);
    expect(await until(() => talk.turns() >= due)).toBe(true);
    const acknowledged = talk.acknowledged();
    const name = join(folder, `copy-${index}`);
    const isPaused = index % 2 === 0;
    await copy(server, data, name, isPaused);
    copies.push({ name, isPaused, acknowledged });
  }
  const turns = await talk.end();
  await server.end('SIGKILL');
  const found = [];
  for (const { name, isPaused, acknowledged } of copies)
    found.push({ isPaused, faults: await faultsOf(name, acknowledged), sessions: acknowledged.size });
  const lost = found.filter(({ faults }) => faults.length > 0);
  console.log(`${turns} turns, ${COPIES} copies, ${lost.length} with a fault: ${JSON.stringify(lost)}`);
  expect(Math.min(...found.map(({ sessions }) => sessions))).toBeGreaterThan(0);
  expect(lost.filter(({ isPaused }) => isPaused)).toEqual([]);
  const REFUSED =
    /cannot be opened: it is damaged or incomplete\. Restore a backup: parley restore FILE --data NEW_FOLDER/;
  for (const { faults } of lost) expect(faults).toEqual([expect.stringMatching(REFUSED)]);
});
