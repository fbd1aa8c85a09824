import type { Server } from 'node:http';
import {
  type Agent,
  createMemoryStorage,
  createParley,
  type Owner,
  type Parley,
  type ParleyOptions,
  type Storage,
} from '@parley/core';
import { serve } from '@parley/http-host';
import { createOwnerApp, OWNER_ID, openOwnerKey } from '@parley/owner-app';

export const REST = '/api/public/agent';
export const MCP = '/api/public/mcp';
export const OWNER_KEY = `pok_${'k'.repeat(43)}`;

/** The whole application in one process, with a session in which agent A has the turn. */
export interface Service extends Joined {
  readonly port: number;
  readonly server: Server;
  readonly parley: Parley;
  readonly storage: Storage;
  readonly owner: Owner;
  /** What left as INTERNAL or broke an answer off. */
  readonly failures: unknown[];
  /** Where every log stands: equal before and after means that nothing was stored. */
  heads(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
  round_limit: 100,
};
const LIMITS = { perToken: 1_000_000, perAddress: 1_000_000, redeemPerAddress: 1_000_000 };

/** @param options a storage among them is closed by the caller */
export async function openService(options: Partial<ParleyOptions> = {}): Promise<Service> {
  const { storage = createMemoryStorage() } = options;
  const failures: unknown[] = [];
  const fail = (cause: unknown): void => void failures.push(cause);
  const parley = await createParley({ limits: LIMITS, onFailure: fail, ...options, storage });
  const ownerKey = await openOwnerKey('', OWNER_KEY);
  const app = createOwnerApp({ parley, storage, ownerKey, onError: fail });
  const serving = await serve(app, { host: '127.0.0.1', port: 0, parley, graceMs: 500 });
  const owner = parley.owner(OWNER_ID);
  const joined = await joinSession(parley, owner);
  return {
    ...{ parley, storage, owner, failures, ...joined },
    server: serving.server,
    port: Number(new URL(serving.url).port),
    heads: () => readHeads(storage),
    close: () => serving.close().then(() => parley.close()),
  };
}

export interface Joined {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<Agent, string>>;
}

/** A started session that both builders and the moderator joined. */
export async function joinSession(parley: Parley, owner: Owner): Promise<Joined> {
  const { session_id: sessionId } = await owner.createSession(SESSION);
  const join = async (role: Agent): Promise<string> => {
    const { code } = await owner.invite(sessionId, { role });
    return (await parley.redeem({ code })).token;
  };
  const tokens = { agent_a: await join('agent_a'), agent_b: await join('agent_b'), moderator: await join('moderator') };
  await owner.start(sessionId);
  return { sessionId, tokens };
}

async function readHeads(storage: Storage): Promise<readonly string[]> {
  const sessions = await storage.list(OWNER_ID, { limit: 200 });
  const news = sessions.map(async ({ sessionId }) => {
    const found = await storage.fetch(sessionId, 1_000_000);
    return `${sessionId} ${found?.head.seq} ${found?.head.hash}`;
  });
  return await Promise.all(news);
}
