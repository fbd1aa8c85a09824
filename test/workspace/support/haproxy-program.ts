import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../scripts/servers/free-port.ts';
import { makeCertificate, type TlsClient, tlsClient } from './tls-client.ts';

export interface RunningHaproxy extends TlsClient {
  logs(): string;
  stop(): Promise<void>;
}

/**
 * Runs HAProxy with the settings of a document, in a new folder and on a free port. Resolves when HAProxy forwards
 * requests. `processes` are host and port of each process of Parley, as many as the settings name.
 */
export async function runHaproxy(
  program: string,
  settings: string,
  processes: readonly string[],
): Promise<RunningHaproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-haproxy-'));
  const port = await freePort();
  makeCertificate(folder);
  const parts = ['fullchain.pem', 'privkey.pem'].map((name) => readFileSync(join(folder, name), 'utf8'));
  writeFileSync(join(folder, 'parley.pem'), parts.join(''));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, settingsHere(settings, { folder, port, processes }));
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let said = '';
  let complained = '';
  child.stdout.on('data', (part: Buffer) => {
    said += part;
  });
  child.stderr.on('data', (part: Buffer) => {
    complained += part;
  });
  const client = tlsClient(port);
  while ((await client.ask('/api/public/agent/health').catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}: ${complained}`);
    await delay(20);
  }
  return {
    ...client,
    logs: () => said + complained,
    async stop() {
      child.kill('SIGTERM');
      await closed;
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Replaces only the paths and ports in the settings by those of the test, and two limits: this machine runs other tests,
 * which may delay the answer to a check.
 */
function settingsHere(
  settings: string,
  here: { readonly folder: string; readonly port: number; readonly processes: readonly string[] },
): string {
  const { folder, port, processes } = here;
  return processes.reduce(
    (text, process, index) =>
      text.replace(`server parley-${index + 1} parley-${index + 1}:4100`, `server parley-${index + 1} ${process}`),
    settings
      .replace('/etc/haproxy/tls/', `${folder}/`)
      .replace('maxconn 16384', 'maxconn 1000')
      .replace('timeout check 5s', 'timeout check 60s')
      .replace('bind :80', `bind ${folder}/plain.sock`)
      .replace('bind :443', `bind 127.0.0.1:${port}`),
  );
}
