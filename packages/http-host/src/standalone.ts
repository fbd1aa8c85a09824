import process from 'node:process';
import { createParley, type HostPort, type ParleyOptions } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import type { WireOptions } from './exchange.ts';
import type { Host } from './http-host.ts';
import { createLog, hideSecrets, logRequest } from './program/log.ts';
import { opening } from './program/opening.ts';
import { type HostSettings, publicUrls, readHostSettings } from './program/settings.ts';
import { serve } from './serve.ts';

/** A host that runs as its own program. */
export interface Program {
  readonly name: string;
  readonly defaultPort: number;
  /** The paths below which the host answers agents. */
  readonly paths?: ParleyOptions['paths'];
  createHost(parley: HostPort, settings: HostSettings, wire: WireOptions): Host;
}

/**
 * Runs a host on PostgreSQL until SIGTERM or SIGINT. If it cannot start, prints the reason and sets exit code 1.
 *
 * @param environment the settings, as the package's README lists them
 */
export async function runStandalone(program: Program, environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  try {
    const settings = readHostSettings(environment, program.defaultPort);
    const running = await start(program, settings);
    process.stdout.write(`${program.name} listening on ${running.url}\n`);
    await stopSignal();
    await running.close();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${program.name}: ${hideSecrets(reason)}\n`);
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

const start = ({ createHost, paths = {} }: Program, settings: HostSettings): Promise<Running> =>
  opening(async (parts) => {
    const { databaseUrl, isSharded, publicUrl, trustedProxies, compression, logLevel, host, port } = settings;
    const storage = parts.keep(await createPostgresStorage({ connectionString: databaseUrl, isSharded }));
    const log = createLog(logLevel, process.stdout);
    const onFailure: ParleyOptions['onFailure'] = (cause, traceId) =>
      log.error({ err: cause, trace_id: traceId }, 'a request failed');
    const parley = parts.keep(await createParley({ storage, onFailure, paths, ...publicUrls(publicUrl) }));
    const wire: WireOptions = { trustedProxies, compression, log: (request) => logRequest(log, request) };
    const { handler } = createHost(parley, settings, wire);
    const serving = await serve((request, response) => handler(request, response), { host, port, parley });
    parts.keep(serving);
    return { url: serving.url, close: () => parts.close() };
  });
