import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { compileProgram } from '../../../../scripts/compile-program.ts';

const MAIN = await compileProgram(fileURLToPath(new URL('slow-clients-main.ts', import.meta.url)), 'slow-clients');

/** A slow client sends `first` at once, then `drip` again and again. */
export interface Manner {
  readonly first: string;
  readonly drip: string;
}

export const IDLE: Manner = { first: '', drip: '' };
export const SLOW_HEAD: Manner = { first: 'GET /api/public/agent/health HTTP/1.1\r\nHost: a\r\nX-Slow: ', drip: 'a' };

export const slowBody = (sessionId: string, token: string): Manner => ({
  first: [
    `POST /api/public/agent/sessions/${sessionId}/turns HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${token}`,
    'Content-Length: 5000',
    '',
    '{"summary": "',
  ].join('\r\n'),
  drip: 'a',
});

export interface SlowClientsOptions {
  /** The manners are distributed over the clients in rotation. */
  readonly manners: readonly Manner[];
  readonly count: number;
  readonly url: string;
  readonly localAddress: string;
  readonly pauseMs: number;
}

export interface Standing {
  readonly open: number;
  /** The largest number of connections that were open at the same time. */
  readonly most: number;
  readonly closed: number;
}

export interface SlowClients {
  standing(): Standing;
  stop(): Promise<void>;
}

/** Starts slow clients in a separate process. A client whose connection is closed reconnects. */
export function startSlowClients(options: SlowClientsOptions): SlowClients {
  const child = fork(MAIN, [JSON.stringify(options)]);
  const gone = once(child, 'exit');
  let standing: Standing = { open: 0, most: 0, closed: 0 };
  child.on('message', (told: Standing) => {
    standing = told;
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(stop);
  return { standing: () => standing, stop };
}
