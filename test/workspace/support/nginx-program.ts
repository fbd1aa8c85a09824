import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../scripts/servers/free-port.ts';
import { makeCertificate, type TlsClient, tlsClient } from './tls-client.ts';

export interface RunningNginx extends TlsClient {
  /** The address, such as `https://127.0.0.1:4430`. The certificate is self-signed. */
  readonly url: string;
  /** Stops nginx when every answer has been sent. A second call does nothing. */
  stop(): Promise<void>;
  logs(): string;
  remove(): void;
}

const NGINX = process.env.NGINX ?? 'nginx';

export const canRunNginx = (): boolean =>
  [NGINX, 'openssl'].every((program) => spawnSync(program, ['-v']).error === undefined);

/**
 * Runs nginx with the configuration of a document, in a new folder and on a free port. `processes` are addresses such
 * as `127.0.0.1:4100`. If nginx refuses the configuration, throws an error with nginx's message.
 */
export async function runNginx(settings: string, processes: readonly string[]): Promise<RunningNginx> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-nginx-'));
  const port = await freePort();
  makeCertificate(folder);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, settingsHere(settings, { folder, port, processes }));
  execFileSync(NGINX, ['-t', '-q', '-c', file], { stdio: ['ignore', 'inherit', 'pipe'] });
  // Checking the configuration leaves a PID file. The loop below waits for the PID file of the running nginx.
  rmSync(join(folder, 'nginx.pid'), { force: true });
  const child = spawn(NGINX, ['-c', file, '-g', 'daemon off;'], { stdio: 'ignore' });
  const closed = once(child, 'close');
  process.once('exit', () => child.kill('SIGTERM'));
  while (!existsSync(join(folder, 'nginx.pid')) && child.exitCode === null) await delay(5);

  return {
    url: `https://127.0.0.1:${port}`,
    ...tlsClient(port),
    async stop() {
      child.kill('SIGQUIT');
      await closed;
    },
    logs: () => ['access.log', 'error.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Replaces only the paths and ports in the settings by those of the test. */
function settingsHere(
  settings: string,
  {
    folder,
    port,
    processes,
  }: { readonly folder: string; readonly port: number; readonly processes: readonly string[] },
): string {
  return settings
    .replaceAll('/etc/nginx/tls/', `${folder}/`)
    .replace('include /etc/nginx/mime.types;', '')
    .replace('/tmp/nginx.pid', `${folder}/nginx.pid`)
    .replace('/dev/stderr', `${folder}/error.log`)
    .replace('/dev/stdout', `${folder}/access.log`)
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80 ', `listen unix:${folder}/plain.sock `)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace('listen 127.0.0.1:8080', `listen unix:${folder}/health.sock`)
    .replace(/server parley:4100([^;]*);/, (_line, more) => processes.map((one) => `server ${one}${more};`).join(' '));
}
