import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { WriteStream } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import { parseOrNull } from '@parley/core';
import { createLog, type Log } from '@parley/http-host/program';
import type { Command } from 'commander';
import { z } from 'zod';
import { KEY_FILE } from '../../server/access/owner-key.ts';
import { databaseFolder, type Settings } from '../../server/settings/settings.ts';
import type { RunningServer } from '../../server/start.ts';
import { createPaint } from '../../text/page.ts';
import { DEFAULT_URL } from '../client/request.ts';
import { commandFailed, EXIT } from '../exit-codes.ts';
import { nextSignal, secretsRemover, type Terminal } from '../terminal.ts';
import { addSettingFlags } from './setting-flags.ts';

/**
 * Writes log lines to a stream: as short coloured lines if the stream is a terminal, otherwise as JSON lines.
 * @param logsSuccesses whether a terminal gets the lines of requests that succeed. If false, the addresses and the
 * owner key, which are printed at the start, stay on the screen longer
 */
export function logDestination(
  stream: Pick<WriteStream, 'isTTY' | 'write'>,
  logsSuccesses: boolean,
): { write(line: string): void } {
  if (!stream.isTTY) return { write: (line) => void stream.write(line) };
  return {
    write: (line) => {
      if (logsSuccesses || !isSuccess(line)) stream.write(readableLine(line));
    },
  };
}

const Entry = z.looseObject({
  level: z.string(),
  time: z.string(),
  msg: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  status: z.number().optional(),
  ms: z.number().optional(),
});

const paint = createPaint(true);

/** Whether a JSON log line is that of a request with a status below 400. */
function isSuccess(line: string): boolean {
  const { method, status } = Entry.safeParse(parseOrNull(line)).data ?? {};
  return method !== undefined && status !== undefined && status < 400;
}

/** Formats a JSON log line for a terminal. A line of another form is returned unchanged. */
export function readableLine(line: string): string {
  const { success, data } = Entry.safeParse(parseOrNull(line));
  if (!success) return line;
  const { level, time, msg = '', method, path, status, ms, ...rest } = data;
  const clock = paint('dim', time.slice(11, 19));
  if (method && path)
    return `${clock} ${paint(statusColour(status), String(status))} ${method} ${path} ${paint('dim', `${ms} ms`)}\n`;
  const more = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
  return `${clock} ${paint(level === 'info' ? 'green' : 'red', level)} ${msg}${more}\n`;
}

const statusColour = (status = 0) => (status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green');

const DEFAULT_DATA = '.parley';

/**
 * The lines that are printed after the start: the addresses, the owner key if this start has created the key, and the
 * next commands.
 */
export function welcomeLines(server: RunningServer, settings: Settings, { paint, program }: Terminal): string[] {
  const { url } = server;
  const command = commandLine(url, settings, program);
  const address = settings.publicUrl ?? url;
  return [
    '',
    `  agents   ${address}/api/public/agent (REST), ${address}/api/public/mcp (MCP)`,
    `  owner    ${address}/owner/`,
    `  data     ${settings.databaseUrl ? 'PostgreSQL (DATABASE_URL)' : settings.dataFolder}`,
    ...keyLines(server, settings, paint),
    '',
    'Next, in another terminal:',
    '',
    `  ${paint('bold', `${command} demo`)}                               watch two agents plan a real feature`,
    `  ${paint('bold', `${command} create --template > session.json`)}   describe a session of your own`,
    `  ${paint('bold', `${command} create --file session.json`)}         open the session, and see what to do next`,
    `  ${paint('bold', `${command} waiting`)}                            see what waits for you, with the commands that settle it`,
    '',
  ];
}

function keyLines({ madeKey, keptKey }: RunningServer, { dataFolder }: Settings, paint: Terminal['paint']): string[] {
  if (madeKey)
    return [
      `  key      ${paint('bold', madeKey)}`,
      `           the key is shown only now; the parley command reads it from ${join(dataFolder, KEY_FILE)}`,
    ];
  if (!keptKey) return ['  key      PARLEY_OWNER_KEY'];
  return [
    `  key      the key that the first start created, in ${join(dataFolder, KEY_FILE)}`,
    `           ${keptKey.file} says which key is valid; it was written ${keptKey.writtenAt.toISOString()}.`,
    '           If you did not start Parley here then, stop it, delete both files, and start it again.',
  ];
}

/** The command line that runs this program in another terminal in the same folder. */
function commandLine(url: string, { dataFolder, ownerKey }: Settings, program: string): string {
  const address = url === DEFAULT_URL ? '' : `PARLEY_URL=${url} `;
  const data = dataFolder === DEFAULT_DATA || ownerKey ? '' : `PARLEY_DATA=${dataFolder} `;
  return `${address}${data}${program}`;
}

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
    throw commandFailed(startFault(error, settings));
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
