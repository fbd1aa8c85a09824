import process from 'node:process';
import { createParley, type HostPort, type ParleyOptions, type Storage } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import { type Logger, pino } from 'pino';
import type { WireOptions } from './exchange.ts';
import type { Host } from './host.ts';
import { serve } from './serve.ts';
import { type HostSettings, readHostSettings } from './settings.ts';

/** One host as a program of its own. */
export interface Program {
  readonly name: string;
  readonly defaultPort: number;
  createHost(parley: HostPort, settings: HostSettings, wire: WireOptions): Host;
}

/**
 * Runs a host on PostgreSQL until SIGTERM or SIGINT. A start that fails says why in one line and sets exit code 1.
 *
 * @param environment the settings, as the package's README lists them
 */
export async function runAlone(program: Program, environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  try {
    const settings = readHostSettings(environment, program.defaultPort);
    const running = await start(program, settings);
    process.stdout.write(`${program.name} listening on ${running.url}\n`);
    await stopSignal();
    await running.close();
  } catch (error) {
    process.stderr.write(`${program.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGTERM', resolve).once('SIGINT', resolve);
  });

interface Running {
  readonly url: string;
  close(): Promise<void>;
}

async function start(program: Program, settings: HostSettings): Promise<Running> {
  const storage = await createPostgresStorage({ connectionString: settings.databaseUrl });
  return await withClosing(storage, () => startOn(storage, program, settings));
}

async function startOn(storage: Storage, { createHost }: Program, settings: HostSettings): Promise<Running> {
  const log = createLog(settings);
  const onFailure: ParleyOptions['onFailure'] = (cause, traceId) =>
    log.error({ trace_id: traceId, reason: reasonOf(cause) }, 'failure');
  const parley = await createParley({ storage, publicUrls: publicUrls(settings), onFailure });
  return await withClosing(parley, async () => {
    const wire = { trustedProxies: settings.trustedProxies, log: logRequests(log) };
    const { handler } = createHost(parley, settings, wire);
    return await serve((request, response) => handler(request, response), {
      host: settings.host,
      port: settings.port,
      parley,
    });
  });
}

/** Stack and causes only: drivers hang parameters and whole rows on their errors. */
const reasonOf = (cause: unknown): string =>
  cause instanceof Error
    ? [cause.stack, ...(cause.cause === undefined ? [] : [reasonOf(cause.cause)])].join('\ncaused by ')
    : typeof cause;

/** Starts something on top of what is open; closes that as well, whether the start fails or later with it. */
async function withClosing(open: { close(): Promise<void> }, startOnTop: () => Promise<Running>): Promise<Running> {
  try {
    const running = await startOnTop();
    return { url: running.url, close: () => running.close().finally(() => open.close()) };
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** Both hosts of an installation share one origin in public, also where each is a program of its own. */
const publicUrls = ({ publicUrl }: HostSettings) =>
  publicUrl === undefined ? {} : { baseUrl: `${publicUrl}/api/public/agent`, mcpUrl: `${publicUrl}/api/public/mcp` };

const createLog = ({ logLevel: level }: HostSettings): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });

const logRequests =
  (log: Logger): NonNullable<WireOptions['log']> =>
  ({ requestId, cutOff, ...rest }) => {
    const entry = { request_id: requestId, ...rest, ...(cutOff ? { cut_off: cutOff } : {}) };
    if (rest.status >= 500) log.error(entry, 'request');
    else log.info(entry, 'request');
  };
