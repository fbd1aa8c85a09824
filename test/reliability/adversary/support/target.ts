import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { profileOfFile } from '../../../support/profile-of-file.ts';
import { type OwnerServer, startOwnerServer } from '../../processes/support/owner-server.ts';

const OWNER_KEY = `pok_${'v'.repeat(43)}`;

/** `status` is 0 if the connection broke. */
interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A process of `parley serve` with an embedded database and the default settings. */
export interface Target extends OwnerServer {
  owner(path: string, body?: object): Promise<Answered>;
  agent(token: string, path: string, body?: object): Promise<Answered>;
  readonly ownerKey: string;
  /** Counts the bytes of the answer without parsing it. */
  measure(token: string, path: string, body?: object): Promise<{ status: number; bytes: number }>;
  /** Resident memory of the process, in MiB (1,048,576 bytes). */
  memory(): Promise<number>;
  /** Highest resident memory of the process since its start, in MB (1,000,000 bytes). */
  peakMemory(): Promise<number>;
}

interface TargetOptions {
  readonly folder: string;
  /** Limit of open files. Default: the limit of the process that runs the test. */
  readonly openFiles?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** If true, the caller ends the process. If false, the process ends with the test. */
  readonly isKept?: boolean;
}

/**
 * Settings of every target. More invitation codes may be redeemed than by default, because all agents of a test have
 * the same IP address.
 */
const ENVIRONMENT = { PARLEY_OWNER_KEY: OWNER_KEY, PARLEY_LOG_LEVEL: 'fatal', PARLEY_RATE_REDEEM: '100' };

/** Starts `parley serve` in a separate process. Rejects if the process ends before it listens. */
export async function startTarget({ folder, openFiles, environment, isKept = false }: TargetOptions): Promise<Target> {
  const settings = { ...ENVIRONMENT, ...environment, PARLEY_DATA: join(folder, 'data') };
  const server = await startOwnerServer(settings, openFiles);
  const pid = server.process.pid ?? 0;
  if (!isKept) onTestFinished(() => server.end('SIGKILL'));
  return {
    ...server,
    owner: (path, body) => send(`${server.url}/owner/api${path}`, OWNER_KEY, body),
    agent: (token, path, body) => send(`${server.url}/api/public${path}`, token, body),
    ownerKey: OWNER_KEY,
    async measure(token, path, body) {
      const { status, text } = await sendRaw(`${server.url}${path}`, token, body);
      return { status, bytes: Buffer.byteLength(text) };
    },
    memory: async () => (await memoryOf(pid, 'VmRSS')) / 1024,
    peakMemory: async () => ((await memoryOf(pid, 'VmHWM')) * 1024) / 1_000_000,
  };
}

const ANSWER_MS = 30_000;

async function send(url: string, token: string, body?: object): Promise<Answered> {
  const { status, text } = await sendRaw(url, token, body);
  return { status, body: text === '' ? {} : JSON.parse(text) };
}

async function sendRaw(url: string, token: string, body?: object): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${token}` };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  try {
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(ANSWER_MS) });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

async function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
}

export const SESSION = {
  title: 'Under attack',
  objective: 'A session that one side tries to break.',
  requirements: [{ requirement_id: 'R1', text: 'The other side can go on.' }],
  profile: profileOfFile(),
};

export interface Seats {
  readonly id: string;
  readonly tokens: Readonly<Record<AgentName, string>>;
}

export const AGENT_NAMES = ['agent_a', 'agent_b', 'moderator'] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

export async function seat(target: Target): Promise<Seats> {
  const id = String((await target.owner('/sessions', SESSION)).body.session_id);
  const tokens = { agent_a: '', agent_b: '', moderator: '' };
  for (const role of AGENT_NAMES) {
    const { code } = (await target.owner(`/sessions/${id}/invite`, { role })).body;
    const redeemed = await target.agent('', '/agent/invitations/redeem', { code });
    tokens[role] = String(redeemed.body.token);
  }
  await target.owner(`/sessions/${id}/start`, {});
  return { id, tokens };
}

/** Input of `extend-rounds` in tests that post more turns than the default round limit allows. */
export const MORE_ROUNDS = { rounds: 900 };

/** Waits at most 30 s for the condition. Returns whether the condition became true. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isSo()) return true;
    await pause(100);
  }
  return false;
}

export const newName = (what: string): string => join(tmpdir(), `parley-${what}-${process.pid}-${Date.now()}`);
