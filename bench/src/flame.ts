/** Draws a flame graph of the server process during the load of the bench `write`. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONNECTIONS } from './bench.ts';
import { drawFlames } from './flame/draw.ts';
import { type Period, readFrames } from './flame/frames.ts';
import { ownByOrigin } from './flame/origins.ts';
import { COST, load, warmUpSeconds } from './load.ts';
import { nowMs } from './monotonic.ts';
import { privatePostgres } from './postgres.ts';
import { seatMany } from './seating.ts';
import { startServer } from './server-process.ts';
import { postTurns } from './traffic.ts';

const USAGE = 'pnpm bench:flame <file.svg> [--title text]';
const SECONDS = 5;

const { values, positionals } = readArguments();
const [file, ...others] = positionals;
if (file === undefined || others.length > 0) refuse(USAGE);

interface Profiled extends Period {
  /** The CPU profile that Node wrote, as JSON. */
  readonly text: string;
  readonly requests: number;
  /** Microseconds of processor time for each request, as the server process measured them. */
  readonly cost: number;
}

const profiled = await profileWrites();
const root = readFrames(profiled.text, profiled);
const { requests, cost } = profiled;
writeFileSync(file, drawFlames(root, { title: values.title ?? 'post_turn of about 1 KB on PostgreSQL', requests }));
console.log(`${file}: ${requests} turns, ${cost.toFixed(0)} µs of processor time each, the profiler included.`);
console.log('Own time by origin, µs a turn:');
for (const [name, us] of ownByOrigin(root)) console.log(`  ${(us / requests).toFixed(1).padStart(6)}  ${name}`);

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { title: { type: 'string' } } });
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}

/**
 * Runs the load twice with a profiler in the server process. Only the second run is drawn, because code is compiled
 * during the first run.
 */
async function profileWrites(): Promise<Profiled> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-flame-'));
  const postgres = privatePostgres();
  try {
    const database = await postgres.openDatabase();
    const seated = await seatMany(database, CONNECTIONS * 2);
    process.env.BENCH_SERVER_ARGS = `--cpu-prof --cpu-prof-dir=${folder} --cpu-prof-interval=200`;
    const server = await startServer('parley-server', { database });
    const next = postTurns(seated.splice(0, CONNECTIONS));
    await load({ servers: [server], seconds: warmUpSeconds({ isQuick: false }), next });
    const measured = postTurns(seated);
    let count = 0;
    const counted = (client: number) => {
      const request = measured(client);
      if (request) count += 1;
      return request;
    };
    // The profile uses the monotonic clock too, in microseconds.
    const from = nowMs() * 1000;
    const figures = await load({ servers: [server], seconds: SECONDS, next: counted });
    const to = nowMs() * 1000;
    await server.stop();
    const [name = ''] = readdirSync(folder);
    return { from, to, requests: count, cost: figures[COST] ?? 0, text: readFileSync(join(folder, name), 'utf8') };
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  }
}
