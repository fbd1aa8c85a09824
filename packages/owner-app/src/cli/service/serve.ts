import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { createLog, type Log } from '@parley/http-host/program';
import type { Command } from 'commander';
import { logDestination } from '../../server/log-destination.ts';
import { databaseFolder, type Settings } from '../../server/settings/settings.ts';
import type { RunningServer } from '../../server/start.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { secretsRemover } from '../secrets-remover.ts';
import type { Terminal } from '../terminal.ts';
import { addSettingFlags } from './setting-flags.ts';
import { nextSignal } from './signals.ts';
import { welcomeLines } from './welcome.ts';

/**
 * For this number of milliseconds before the port is closed, new requests are answered with 503, so that a proxy
 * notices the shutdown.
 */
const CLOSE_DELAY_MS = 1_000;

/**
 * Maximum growth of the heap between two full garbage collections, in percent. By default, V8 lets a heap with 100 MB
 * in use grow to 790 MB on a machine with much memory.
 */
const HEAP_GROWTH_PERCENT = 30;

/** Adds `parley serve`, which runs until SIGTERM or SIGINT, answers the requests in progress, and ends. */
export function addServe(program: Command, terminal: Terminal): void {
  const command = program.command('serve').description('Run the server: REST and MCP for agents, and the owner API.');
  const settings = addSettingFlags(command, terminal);
  command.addHelpText(
    'after',
    '\nExamples:\n  parley serve --port 8080 --data /var/lib/parley\n  DATABASE_URL=postgres://… parley serve',
  );
  command.action(() => runServer(terminal, settings()));
}

async function runServer(terminal: Terminal, settings: Settings): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const withoutSecrets = secretsRemover({ settings });
  const lines = logDestination(process.stderr, settings.logsSuccesses);
  const log = createLog(settings.logLevel, { write: (line) => lines.write(withoutSecrets(line)) });
  if (settings.redisUrl && !settings.databaseUrl)
    log.warn('REDIS_URL has no effect: it is for several processes, but the embedded database allows only one');
  process.once('uncaughtException', (error) => stopFailed(log, error));
  const isFirstStart = !settings.databaseUrl && !existsSync(databaseFolder(settings));
  const server = await endedBySignals(() => {
    if (isFirstStart) terminal.err('parley: creating the embedded database; the first start takes some seconds longer');
    return open(settings, log);
  });
  terminal.out(`parley listening on ${server.url}`);
  if (server.metricsUrl) terminal.out(`parley metrics on ${server.metricsUrl}/metrics`);
  for (const line of welcomeLines(server, settings, terminal)) terminal.out(line);
  const signal = await nextSignal();
  log.info({ signal }, 'stopping: finishing the requests in progress');
  await server.close(
    signal === 'SIGTERM' ? { drainMs: settings.drainSeconds * 1000, closeDelayMs: CLOSE_DELAY_MS } : {},
  );
  log.info('stopped');
}

/**
 * If a signal to stop arrives while `start` runs, ends this process with exit code 128 plus the number of the signal.
 * Otherwise Node would ignore the signal if Node is process 1 of a container.
 */
async function endedBySignals<T>(start: () => Promise<T>): Promise<T> {
  const started = new AbortController();
  void nextSignal(started.signal).then((signal) => process.exit(128 + constants.signals[signal]));
  try {
    return await start();
  } finally {
    started.abort();
  }
}

/** Logs an uncaught error and exits. The log removes secrets, which Node itself would print with the error. */
function stopFailed(log: Log, error: unknown): never {
  log.fatal({ err: error }, 'stopping: uncaught error');
  process.exit(EXIT.REFUSED);
}

/**
 * Exits, so that a supervisor starts the process again. The new process opens the data folder, or reports why it
 * cannot.
 */
function stopWithoutDatabase(log: Log, reason: string): never {
  log.fatal({ reason }, 'stopping: the embedded database has failed');
  process.exit(EXIT.REFUSED);
}

/** Imports the databases here and not at the top of the file, so that other commands start faster. */
async function open(settings: Settings, log: Log): Promise<RunningServer> {
  const { startServer } = await import('../../server/start.ts');
  return startServer(settings, log, (reason) => stopWithoutDatabase(log, reason)).catch((error: unknown) => {
    throw new CliError(EXIT.REFUSED, startFault(error, settings));
  });
}

function startFault(error: unknown, settings: Settings): string {
  const { port } = settings;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const host = error instanceof Error && 'address' in error ? String(error.address) : settings.host;
  if (code === 'EADDRINUSE')
    return `another program uses port ${port} on ${host}; choose another port with --port or PORT`;
  if (code === 'EACCES')
    return `the user who runs this command may not use port ${port} on ${host}; choose a port above 1023 with --port or PORT`;
  if (code === 'EADDRNOTAVAIL')
    return `${host} is not an address of this machine; choose another address with --host or HOST`;
  return error instanceof Error ? error.message : String(error);
}
