import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type PostgresServer, startPostgres } from './servers/postgres-server.ts';

const LIMIT_MS = 120_000;

interface Example {
  readonly name: string;
  readonly folder: string;
  /**
   * Whether the example's package.json contains `"config": { "postgres": true }`. Such an example gets the URL of a
   * PostgreSQL server as DATABASE_URL.
   */
  readonly needsPostgres: boolean;
}

const [only] = process.argv.slice(2);
const failed: string[] = [];
for (const example of examples().filter(({ name }) => only === undefined || name === only)) {
  console.log(`\n── ${example.name}`);
  if (!(await runs(example))) failed.push(example.name);
}
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

async function runs(example: Example): Promise<boolean> {
  if (!example.needsPostgres) return (await start(example, {})) === 0;
  const server = await startPostgres();
  if (server) return withServer(example, server);
  console.log('left out: no PostgreSQL server is installed');
  return process.env.REQUIRE_POSTGRES !== '1';
}

async function withServer(example: Example, server: PostgresServer): Promise<boolean> {
  try {
    return (await start(example, { DATABASE_URL: server.url })) === 0;
  } finally {
    await server.stop();
  }
}

function start({ folder }: Example, more: Record<string, string>): Promise<number> {
  const { DATABASE_URL: _, ...environment } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn('pnpm', ['--silent', 'run', 'start'], {
      cwd: folder,
      env: { ...environment, ...more },
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
      timeout: LIMIT_MS,
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
