import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compileProgram } from '../../../scripts/compile-program.ts';
import { startPostgres } from '../../../scripts/servers/postgres-server.ts';
import { query } from '../processes/support/database.ts';
import { forkHost, type HostProcess } from '../processes/support/fork-host.ts';
import { createCaller } from '../torture/load/caller.ts';
import { startLoad } from '../torture/load/load.ts';
import { openRecord, type RunRecord } from '../torture/record.ts';
import { seatAgents } from '../torture/support/company.ts';
import type { QuietSample } from './verdict.ts';

const HOST = fileURLToPath(new URL('../processes/host/host-main.ts', import.meta.url));
const MEBI = 1024 * 1024;
/** The caches are small, so that they are full before the measurement. */
const CACHE = { stateBytes: 2 * MEBI, eventBytes: 2 * MEBI, documentBytes: 2 * MEBI, answerBytes: MEBI / 4 };
const SESSIONS = 12;
const LOAD_MS = 20_000;
/** Pause before a sample, so that the host has closed the sockets of disconnected clients. */
const REST_MS = 500;
const NAME = 'parley-soak';
/** Flags for Node. Optimisation is off: optimised code grows for minutes, which would look like a leak. */
const FLAGS = ['--expose-gc', '--no-opt', '--no-sparkplug'];

export interface SoakOutcome {
  readonly samples: readonly QuietSample[];
  /** Wrong answers and failed requests. */
  readonly wrong: readonly string[];
  readonly requests: number;
  readonly mostHeld: number;
}

/**
 * Runs one host on one database under a mixed load, in intervals of `LOAD_MS`, each with new sessions. After each
 * interval takes a sample of the host.
 */
export async function soak(minutes: number, onSample: (sample: QuietSample) => void): Promise<SoakOutcome> {
  const database = await startPostgres();
  if (!database) throw new Error('This needs PostgreSQL 15 or newer on this machine: PG_BIN names its programs.');
  const closing: (() => Promise<void>)[] = [() => database.stop()];
  try {
    const connectionString = Object.assign(new URL(database.url), { search: `application_name=${NAME}` }).href;
    const options = { database: { connectionString }, cache: CACHE };
    const host = await forkHost(await compileProgram(HOST, 'host'), options, FLAGS);
    closing.unshift(() => host.kill());
    return await soakHost(host, database.url, { minutes, onSample });
  } finally {
    for (const close of closing) await close();
  }
}

interface Soaking {
  readonly minutes: number;
  readonly onSample: (sample: QuietSample) => void;
}

async function soakHost(host: HostProcess, url: string, { minutes, onSample }: Soaking): Promise<SoakOutcome> {
  const began = performance.now();
  const samples: QuietSample[] = [];
  const wrong: string[] = [];
  const sums = { requests: 0, mostHeld: 0 };
  for (let seed = 1; performance.now() - began < minutes * 60_000; seed += 1) {
    const { record, held } = await stretch(host, url, seed);
    sums.requests += record.requests;
    sums.mostHeld = Math.max(sums.mostHeld, held);
    const failed = Array.from(record.away, ([why, times]) => `${times} requests failed: ${why}`);
    wrong.push(...record.wrong, ...record.unfinished, ...failed);
    await pause(REST_MS);
    const seconds = Math.round((performance.now() - began) / 1_000);
    const sample = { ...(await host.footprint()), seconds, databaseConnections: await connectionsTo(url) };
    samples.push(sample);
    onSample(sample);
  }
  return { samples, wrong, ...sums };
}

async function stretch(host: HostProcess, url: string, seed: number): Promise<{ record: RunRecord; held: number }> {
  const everybody = await seatAgents(url, SESSIONS);
  const record = openRecord(everybody.map(({ agent_a }) => agent_a.sessionId));
  const caller = createCaller(new URL(host.baseUrl).origin, record);
  const load = startLoad({ seed, everybody, caller, record, followsRetryAfter: true });
  await pause(LOAD_MS);
  const held = await host.heldPolls();
  await load.end();
  caller.close();
  return { record, held };
}

async function connectionsTo(url: string): Promise<number> {
  const rows = await query(url, `select 1 from pg_stat_activity where application_name = '${NAME}'`);
  return rows.length;
}
