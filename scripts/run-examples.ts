import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startPostgres } from './servers/postgres-server.ts';

const TSC = 'node_modules/typescript/bin/tsc';
const LIMIT_MS = 120_000;
const BUILD_LIMIT_MS = 600_000;

interface Example {
  readonly name: string;
  readonly folder: string;
  /**
   * Whether the example's package.json contains `"config": { "postgres": true }`. Such an example gets the URL of a
   * PostgreSQL server as DATABASE_URL.
   */
  readonly needsPostgres: boolean;
}

interface Ended {
  readonly isPassed: boolean;
  readonly printed: string;
}

const [only] = process.argv.slice(2);
const waiting = examples().filter(({ name }) => only === undefined || name === only);
const failed: string[] = [];
// Built before they run, because several builds at the same time would write the same files.
const folders = waiting.map(({ folder }) => folder);
const built = await spawned(process.execPath, [TSC, '-b', ...folders], { limitMs: BUILD_LIMIT_MS });
if (!built.isPassed) {
  console.log(`${built.printed}\nfailed: the build of the examples`);
  process.exit(1);
}
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
console.log(failed.length === 0 ? '\nall examples passed' : `\nfailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function examples(): Example[] {
  return readdirSync('examples').flatMap((name) => {
    const folder = join('examples', name);
    const file = join(folder, 'package.json');
    if (!existsSync(file)) return [];
    const { scripts, config } = JSON.parse(readFileSync(file, 'utf8'));
    return scripts?.start === undefined ? [] : [{ name, folder, needsPostgres: config?.postgres === true }];
  });
}

/** Runs one example after another until none is left. Prints the output of each when it has ended. */
async function runWaiting(): Promise<void> {
  for (let example = waiting.shift(); example; example = waiting.shift()) {
    const { isPassed, printed } = await run(example);
    console.log(`\n── ${example.name}\n${printed}`);
    if (!isPassed) failed.push(example.name);
  }
}

async function run({ folder, needsPostgres }: Example): Promise<Ended> {
  const start = (more: Record<string, string>) => spawned('pnpm', ['--silent', 'run', 'start'], { cwd: folder, more });
  if (!needsPostgres) return start({});
  const server = await startPostgres();
  if (!server)
    return {
      isPassed: process.env.REQUIRE_POSTGRES !== '1',
      printed: 'left out: no PostgreSQL server is installed',
    };
  try {
    return await start({ DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
}

interface Spawning {
  readonly cwd?: string;
  readonly more?: Record<string, string>;
  readonly limitMs?: number;
}

/** Runs a command. At the limit ends it and all that it has started, which else would keep its output open. */
function spawned(
  command: string,
  args: readonly string[],
  { cwd = '.', more = {}, limitMs = LIMIT_MS }: Spawning = {},
): Promise<Ended> {
  const { DATABASE_URL: _, ...environment } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], {
      cwd,
      env: { ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      detached: process.platform !== 'win32',
    });
    const limit = setTimeout(() => {
      if (process.platform === 'win32') child.kill();
      else if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(limit);
      resolve({ isPassed: code === 0, printed });
    });
  });
}
