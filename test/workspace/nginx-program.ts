import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../scripts/free-port.ts';

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** With one it is a POST. */
  readonly body?: string;
}

export interface RunningNginx {
  /** Such as `https://127.0.0.1:4430`, by a certificate that nobody signed. */
  readonly url: string;
  ask(path: string, sent?: Sent): Promise<{ readonly status: number | undefined; readonly body: string }>;
  /** What arrives of an answer that does not end, up to a text in it. */
  firstBytes(path: string, headers: Readonly<Record<string, string>>, until: string): Promise<string>;
  /** Ends it once every answer is out; again does nothing. */
  stop(): Promise<void>;
  logs(): string;
  remove(): void;
}

/** NGINX names the program where it is not on the PATH. */
const NGINX = process.env.NGINX ?? 'nginx';

export const canRunNginx = (): boolean =>
  [NGINX, 'openssl'].every((program) => spawnSync(program, ['-v']).error === undefined);

/**
 * Runs nginx with the settings of a document in a folder and on a port of its own.
 *
 * @param processes where they listen, such as `127.0.0.1:4100`
 * @throws Error with what nginx says of the settings
 */
export async function runNginx(settings: string, processes: readonly string[]): Promise<RunningNginx> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-nginx-'));
  const port = await freePort();
  makeCertificate(folder);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, settingsHere(settings, { folder, port, processes }));
  execFileSync(NGINX, ['-t', '-q', '-c', file], { stdio: ['ignore', 'inherit', 'pipe'] });
  // Also a test of the settings leaves one.
  rmSync(join(folder, 'nginx.pid'), { force: true });
  const child = spawn(NGINX, ['-c', file, '-g', 'daemon off;'], { stdio: 'ignore' });
  const closed = once(child, 'close');
  process.once('exit', () => child.kill('SIGTERM'));
  while (!existsSync(join(folder, 'nginx.pid')) && child.exitCode === null) await delay(5);
  const target = { host: '127.0.0.1', port, rejectUnauthorized: false };

  return {
    url: `https://127.0.0.1:${port}`,
    ask: (path, { headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const asking = request(
          { ...target, path, headers, method: body === undefined ? 'GET' : 'POST' },
          (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (part: string) => {
              text += part;
            });
            response.once('end', () => resolve({ status: response.statusCode, body: text }));
          },
        );
        asking.once('error', reject).end(body);
      }),
    firstBytes: (path, headers, until) =>
      new Promise((resolve, reject) => {
        const asking = request({ ...target, path, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
            if (!text.includes(until)) return;
            asking.destroy();
            resolve(text);
          });
        });
        asking.once('error', reject).end();
      }),
    async stop() {
      child.kill('SIGQUIT');
      await closed;
    },
    logs: () => ['access.log', 'error.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Other places and ports, and nothing else. */
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

function makeCertificate(folder: string): void {
  const names = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  execFileSync('openssl', ['req', ...kind, '-subj', '/CN=localhost', ...names], { stdio: 'ignore' });
}
