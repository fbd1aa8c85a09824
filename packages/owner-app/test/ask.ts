import type { Agent } from '@parley/core';
import { createOwnerClient, type OwnerClient, overHttp, redeem } from '@parley/core/client';
import { KEY, SESSION } from './running-app.ts';

export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a parsed body; each test knows its shape
  readonly json: any;
}

export interface Question {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

export const AS_OWNER = { authorization: `Bearer ${KEY}` };

export async function ask(url: string, path: string, { method, headers = {}, body }: Question = {}): Promise<Heard> {
  const response = await fetch(url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

/** Makes the calls of an owner over HTTP. Sends no call again, so that each failure is seen. */
export const ownerAt = (url: string, key = KEY): OwnerClient =>
  createOwnerClient(overHttp(`${url}/owner/api`, { headers: { authorization: `Bearer ${key}` }, retries: 0 }));

export const createSession = (url: string): Promise<string> => createSessionAs(KEY, url);

export const createSessionAs = async (key: string, url: string): Promise<string> =>
  (await ownerAt(url, key).call('createSession', SESSION)).session_id;

/** Invites an agent, redeems its code, and returns the token. */
export async function seatAgent(url: string, session_id: string, role: Agent): Promise<string> {
  const { code } = await ownerAt(url).call('invite', { session_id, role });
  return (await redeem(overHttp(`${url}/api/public/agent`, { retries: 0 }), { code })).token;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
