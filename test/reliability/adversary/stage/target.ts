import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type OwnerServer, startOwnerServer } from '../../processes/stage/owner-server.ts';

const OWNER_KEY = `pok_${'v'.repeat(43)}`;

/** An answer of the service; `status` is 0 where the connection broke. */
interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** `parley serve` on an embedded database with the default settings, in a process of its own. */
export interface Target extends OwnerServer {
  owner(path: string, body?: object): Promise<Answered>;
  agent(token: string, path: string, body?: object): Promise<Answered>;
  /** Resident memory of the process, in MiB. */
  memory(): Promise<number>;
}

interface TargetOptions {
  readonly folder: string;
  /** The limit of open files; left out: that of this process. */
  readonly openFiles?: number;
}

/** Rejects when the process ends before it listens. */
export async function startTarget({ folder, openFiles }: TargetOptions): Promise<Target> {
  const environment = { PARLEY_DATA: join(folder, 'data'), PARLEY_OWNER_KEY: OWNER_KEY, PARLEY_LOG_LEVEL: 'fatal' };
  const server = await startOwnerServer(environment, openFiles);
  onTestFinished(() => server.end('SIGKILL'));
  return {
    ...server,
    owner: (path, body) => send(`${server.url}/owner/api${path}`, OWNER_KEY, body),
    agent: (token, path, body) => send(`${server.url}/api/public${path}`, token, body),
    memory: () => memoryOf(server.process.pid ?? 0),
  };
}

const ANSWER_MS = 30_000;

async function send(url: string, token: string, body?: object): Promise<Answered> {
  const headers = { authorization: `Bearer ${token}` };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  try {
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(ANSWER_MS) });
    return { status: response.status, body: JSON.parse(await response.text()) };
  } catch {
    return { status: 0, body: {} };
  }
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

export const SESSION = {
  title: 'Under attack',
  objective: 'A session that one side tries to break.',
  requirements: [{ requirement_id: 'R1', text: 'The other side can go on.' }],
};

/** A session that runs, with a token for each builder. */
export async function seat(target: Target): Promise<{ id: string; tokens: Readonly<Record<string, string>> }> {
  const id = String((await target.owner('/sessions', SESSION)).body.session_id);
  const tokens: Record<string, string> = {};
  for (const role of ['agent_a', 'agent_b', 'moderator']) {
    const { code } = (await target.owner(`/sessions/${id}/invite`, { role })).body;
    const redeemed = await target.agent('', '/agent/invitations/redeem', { code });
    tokens[role] = String(redeemed.body.token);
  }
  await target.owner(`/sessions/${id}/start`, {});
  return { id, tokens };
}

/** Waits until something is so, at most half a minute. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isSo()) return true;
    await pause(100);
  }
  return false;
}

export const newName = (what: string): string => join(tmpdir(), `parley-${what}-${process.pid}-${Date.now()}`);
