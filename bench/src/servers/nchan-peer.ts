import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NCHAN_MODULE, NGINX } from '../nchan.ts';
import { answerParent, tellParent, urlOf } from './tell-parent.ts';

/** nginx has one worker process unless it is told otherwise, as the service has one process. */
const CONNECTIONS_OF_A_WORKER = 15_000;
/** Linux counts the processor time of a process in hundredths of a second. */
const MS_PER_TICK = 10;
const [START_MS, LOOK_MS] = [5_000, 20];

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-nchan-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const url = await freeUrl();
writeFileSync(join(folder, 'nginx.conf'), configuration());
const nginx = spawn(NGINX, ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'inherit' });
process.on('exit', () => nginx.kill('SIGTERM'));
nginx.on('exit', () => process.exit(1));
await started();
answerParent({
  memory: () => pids().reduce((sum, pid) => sum + sharedFairly(pid), 0),
  processor: () => pids().reduce((sum, pid) => sum + processorMs(pid), 0),
  held,
});
tellParent(url);

async function freeUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const free = urlOf(server.address());
  server.close();
  await once(server, 'close');
  return free;
}

function configuration(): string {
  const bodies = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  return `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    pid nginx.pid;
    load_module ${NCHAN_MODULE};
    events { worker_connections ${CONNECTIONS_OF_A_WORKER}; }
    http {
      access_log off;
      ${bodies.join(' ')}
      server {
        listen ${new URL(url).host} backlog=1024;
        location = /status { nchan_stub_status; }
        location ~ ^/(.+)$ { nchan_pubsub; nchan_channel_id $1; }
      }
    }`;
}

async function started(): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    const answer = await fetch(`${url}/status`).catch(() => undefined);
    if (answer?.ok) return;
    if (performance.now() > deadline) throw new Error(`nginx does not answer: ${readText('error.log')}`);
    await pause(LOOK_MS);
  }
}

const readText = (name: string): string => readFileSync(join(folder, name), 'utf8');

async function held(): Promise<number> {
  const status = await (await fetch(`${url}/status`)).text();
  return Number(/subscribers: (\d+)/.exec(status)?.[1]);
}

/** The process of nginx and its workers. */
function pids(): number[] {
  const children = readFileSync(`/proc/${nginx.pid}/task/${nginx.pid}/children`, 'utf8');
  return [Number(nginx.pid), ...children.trim().split(' ').map(Number)];
}

/** Resident memory in bytes. What several processes share is divided among them. */
function sharedFairly(pid: number): number {
  const kB = /^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kB) * 1024;
}

function processorMs(pid: number): number {
  // The second field is the name of the program in parentheses; the fields after it begin with the third.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return (user + system) * MS_PER_TICK;
}
