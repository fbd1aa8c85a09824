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

export const createSession = (url: string): Promise<string> => createSessionAs(KEY, url);

export async function createSessionAs(key: string, url: string): Promise<string> {
  const { json } = await ask(url, '/owner/api/sessions', {
    headers: { authorization: `Bearer ${key}` },
    body: SESSION,
  });
  return json.session_id;
}

/** Invites an agent, redeems its code, and returns the token. */
export async function seatAgent(url: string, sessionId: string, role: string): Promise<string> {
  const invited = await ask(url, `/owner/api/sessions/${sessionId}/invite`, { headers: AS_OWNER, body: { role } });
  const redeemed = await ask(url, '/api/public/agent/invitations/redeem', { body: { code: invited.json.code } });
  return redeemed.json.token;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
