// Runs `npm start` and `npm test`: installs and builds what is missing, then starts the service or the tests. Imports
// only Node's built-in modules, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = [20, 19];
const INSTALL_STAMP = 'node_modules/.installed';
const CONSOLE_STAMP = 'packages/owner-app/dist/console/.stamp';
const isWindows = process.platform === 'win32';

const [task, ...args] = process.argv.slice(2);
const programs = {
  start: ['packages/owner-app/dist/main.js', 'serve'],
  test: ['node_modules/vitest/vitest.mjs', 'run'],
};

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
checkNode();
if (!Object.hasOwn(programs, task)) stop(`usage: node scripts/go.mjs ${Object.keys(programs).join('|')} [arguments]`);

const wanted = installStamp();
if (read(INSTALL_STAMP) !== wanted) {
  const isInstalled = await step('installing dependencies (the first time downloads about 100 MB)', [
    ...pnpm(),
    ...['install', '--frozen-lockfile', '--trust-lockfile', '--config.confirm-modules-purge=false'],
    '--reporter=append-only',
  ]);
  if (!isInstalled) process.exit(1);
  writeFileSync(INSTALL_STAMP, wanted);
}
const isBuilt = await step('building', [
  process.execPath,
  'node_modules/typescript/bin/tsc',
  '-b',
  'packages/owner-app',
]);
// Tests run from the sources, so they can run even if the build has failed.
if (!isBuilt && task !== 'test') process.exit(1);
// The stamp is written after the build, so that an interrupted build is repeated.
if (task === 'start' && read(CONSOLE_STAMP) !== consoleStamp()) {
  const isBuiltToo = await step('building the console', [
    process.execPath,
    ...['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', 'packages/owner-app/console'],
  ]);
  if (!isBuiltToo) process.exit(1);
  writeFileSync(CONSOLE_STAMP, consoleStamp());
}
const code = await run([process.execPath, ...programs[task], ...args], 'inherit', process.env);
process.exit(isBuilt ? code : code || 1);

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    stop(`parley needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.version}`);
  }
  if (major < 22)
    say(`Node ${process.version} works, but this version gets no security fixes any more; Node 24 is recommended`);
}

/**
 * A text that changes with the dependencies, the Node version and the platform. If it has changed, an install is
 * necessary.
 */
function installStamp() {
  const lock = createHash('sha256').update(readFileSync('pnpm-lock.yaml')).digest('hex');
  return [lock, process.version, process.platform, process.arch].join(' ');
}

/** A text that changes when a source of the console changes. */
function consoleStamp() {
  const hash = createHash('sha256').update(readFileSync('pnpm-lock.yaml'));
  for (const folder of [
    'packages/owner-app/console',
    'packages/owner-app/src/transcript',
    'packages/owner-app/src/text',
  ])
    for (const name of readdirSync(folder, { recursive: true }).sort())
      if (/\.(?:tsx?|css|html|svg)$/.test(name)) hash.update(name).update(readFileSync(`${folder}/${name}`));
  return hash.digest('hex');
}

/** The command line that runs the version of pnpm that package.json names. */
function pnpm() {
  const pin = JSON.parse(readFileSync('package.json', 'utf8')).packageManager.split('+')[0];
  const found = spawnSync('pnpm', ['--version'], { encoding: 'utf8', shell: isWindows });
  if (found.stdout?.trim() === pin.split('@')[1]) return ['pnpm'];
  const npm = process.env.npm_execpath ?? '';
  if (basename(npm) === 'npm-cli.js') return [process.execPath, npm, 'exec', '--yes', `--package=${pin}`, '--', 'pnpm'];
  return ['npx', '--yes', pin];
}

async function step(title, command) {
  say(title);
  const { NODE_ENV: _, ...environment } = process.env;
  const code = await run(command, ['ignore', 'inherit', 'inherit'], environment);
  if (code !== 0) say(`${title}: failed`);
  return code === 0;
}

/** Runs a command until it ends, and forwards signals to it. Resolves to its exit code. */
function run([command, ...commandArgs], stdio, env) {
  return new Promise((resolve) => {
    const shell = isWindows && command !== process.execPath;
    const child = spawn(command, commandArgs, { stdio, env, shell });
    // In a terminal, Ctrl-C reaches the child process directly. Without a terminal it must be forwarded.
    const onInterrupt = () => process.stdin.isTTY || child.kill('SIGINT');
    const onTerminate = () => child.kill('SIGTERM');
    process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate).on('SIGHUP', onTerminate);
    // npm does not always forward SIGTERM. If npm has ended, this process has another parent, and ends the child
    // process itself.
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent || !startedByNpm()) return;
      clearInterval(watch); // A second signal would end the server before it has finished its answers.
      child.kill('SIGTERM');
    }, 500);
    child.once('error', (error) => stop(`cannot run ${command}: ${error.message}`));
    child.once('exit', (code, signal) => {
      clearInterval(watch);
      process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate).off('SIGHUP', onTerminate);
      resolve(signal ? 1 : (code ?? 1));
    });
  });
}

function startedByNpm() {
  return process.env.npm_lifecycle_event !== undefined;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function say(text) {
  console.error(`parley: ${text}`);
}

function stop(text) {
  say(text);
  process.exit(1);
}
