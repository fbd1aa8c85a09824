import { fileURLToPath } from 'node:url';
import { createParley } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import { compileProgram } from '../../../scripts/compile-program.ts';
import { startPostgres } from '../../../scripts/servers/postgres-server.ts';
import { forkHost } from '../processes/support/fork-host.ts';
import { seatAgents } from '../torture/support/company.ts';
import { copySession, type ManySeat } from './many-sessions.ts';
import { touchAll, touchLater } from './touch.ts';
import type { MemorySample } from './verdict.ts';

const HOST = fileURLToPath(new URL('../processes/host/host-main.ts', import.meta.url));
const MEBI = 1024 * 1024;
const CACHE = { stateBytes: 32 * MEBI, eventBytes: 4 * MEBI, documentBytes: 4 * MEBI, answerBytes: 4 * MEBI };
const SAMPLES = 20;
const TURNS = 6;

interface Touched {
  readonly samples: readonly MemorySample[];
  readonly last: MemorySample;
}

/** Creates `count` sessions, and reads each once through one process with small caches. */
export async function touchMany(count: number, onSample: (sample: MemorySample) => void): Promise<Touched> {
  const database = await startPostgres({ settings: { shared_buffers: '256MB', max_wal_size: '4GB' } });
  if (!database) throw new Error('This needs PostgreSQL 15 or newer on this machine: PG_BIN names its programs.');
  const closing: (() => Promise<void>)[] = [() => database.stop()];
  try {
    const seats = await fill(database.url, count);
    const options = { database: { connectionString: database.url }, cache: CACHE };
    const host = await forkHost(await compileProgram(HOST, 'host'), options, ['--expose-gc']);
    closing.unshift(() => host.kill());
    const samples = await touchAll({ host, seats, samples: SAMPLES, onSample });
    const last = await touchLater(host, seats);
    onSample(last);
    return { samples, last };
  } finally {
    for (const close of closing) await close();
  }
}

async function fill(databaseUrl: string, count: number): Promise<ManySeat[]> {
  const [seats] = await seatAgents(databaseUrl, 1);
  if (!seats) throw new Error('There is no session to copy.');
  const storage = await createPostgresStorage({ connectionString: databaseUrl });
  const parley = await createParley({ storage });
  const agents = [parley.agent(seats.agent_a.token), parley.agent(seats.agent_b.token)];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const proposed_decisions = [{ topic: `Topic ${turn}`, position: 'Levels are shown within a second.' }];
    await agents[turn % 2]?.call('post_turn', { summary: `Turn ${turn} says where we stand.`, proposed_decisions });
  }
  const copies = await copySession({ databaseUrl, storage, from: seats.agent_a, count });
  await parley.close();
  await storage.close();
  return copies;
}
