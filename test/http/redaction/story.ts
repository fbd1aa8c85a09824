import { bearer, callTool, MCP, REST, restPath, rpc } from '../../support/requests.ts';
import type { Vault } from './support/vault.ts';
import type { Visitor } from './support/visitor.ts';

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};

export interface Cast {
  readonly visitor: Visitor;
  readonly vault: Vault;
  readonly ownerKey: string;
  readonly sessionId: string;
}

export async function openSession(visitor: Visitor, ownerKey: string): Promise<string> {
  const { json } = await visitor.send('/owner/api/sessions', {
    headers: bearer(ownerKey),
    body: JSON.stringify(SESSION),
  });
  await visitor.send(`/owner/api/sessions/${json.session_id}/start`, { headers: bearer(ownerKey), body: '{}' });
  return json.session_id;
}

/** Invites an agent through the owner's API and redeems the code. */
export async function seat({ visitor, vault, ownerKey, sessionId }: Cast, role: string): Promise<string> {
  const body = JSON.stringify({ role });
  const path = `/owner/api/sessions/${sessionId}/invite`;
  const { json } = await visitor.sendUnheard(path, { headers: bearer(ownerKey), body });
  return await redeem({ visitor, vault, sessionId }, vault.keep(json.code, sessionId));
}

export async function redeem({ visitor, vault, sessionId }: Omit<Cast, 'ownerKey'>, code: string): Promise<string> {
  const question = { body: JSON.stringify({ code, client_type: 'curl' }) };
  const { json } = await visitor.sendUnheard(`${REST}/invitations/redeem`, question);
  await visitor.send(`${REST}/invitations/redeem`, question);
  return vault.keep(json.token, sessionId);
}

/**
 * agent_a uses REST. agent_b uses MCP, with the token in the header and in the path. The owner uses the API and a
 * cookie.
 */
export async function play({ visitor, vault, ownerKey, sessionId }: Cast, tokens: Tokens): Promise<void> {
  const { send } = visitor;
  const [a, b] = [bearer(tokens.agentA), bearer(tokens.agentB)];
  const route = (name: string): string => restPath(sessionId, name);
  const turn = { summary: 'Offsets hurt.', questions: ['Is it indexed?'], request_id: 'turn-1' };
  for (const name of ['task', 'state', 'messages', 'decisions']) await send(route(name), { headers: a });
  await send(route('turns'), { headers: a, body: JSON.stringify(turn) });
  await send(route('turns'), { headers: a, body: JSON.stringify(turn) });
  await send(MCP, {
    headers: b,
    body: rpc('initialize', { protocolVersion: '2025-06-18', clientInfo: { name: 'x' } }),
  });
  await send(MCP, { headers: b, body: rpc('tools/list') });
  await send(`${MCP}/${tokens.agentB}`, { body: callTool('wait_for_my_turn', { wait: 1 }) });
  await send(`${MCP}/${tokens.agentB}`, { body: callTool('post_turn', { summary: 'Agreed.', request_id: 'turn-2' }) });
  await send(`${MCP}/${tokens.agentB}`, { body: `[${rpc('ping')},${callTool('read_messages')}]` });
  const asOwner = { headers: bearer(ownerKey) };
  for (const name of ['', '/transcript', '/log']) await send(`/owner/api/sessions/${sessionId}${name}`, asOwner);
  const signedIn = await visitor.sendUnheard('/owner/api/sign-in', { body: JSON.stringify({ owner_key: ownerKey }) });
  const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';');
  vault.keep(cookie.slice(cookie.indexOf('=') + 1));
  const headers = { Cookie: cookie, 'Parley-Page-Key': vault.keep(signedIn.json.page_key) };
  await send('/owner/api/sessions', { headers });
  await send('/owner/api/sessions', { headers: { Cookie: cookie } });
  await send('/owner/api/sign-out', { method: 'POST', headers: { ...headers, 'Sec-Fetch-Site': 'none' } });
}

/**
 * The moderator calls every tool over REST, and over MCP with the token in the header and in the path. The owner stops
 * and restores the moderator.
 */
export async function moderate({ visitor, ownerKey, sessionId }: Cast, { moderator }: Tokens): Promise<void> {
  const { send } = visitor;
  const own = bearer(moderator);
  const post = async (name: string, input: unknown): Promise<void> =>
    void (await send(restPath(sessionId, name), { headers: own, body: JSON.stringify(input) }));
  const call = async (name: string, input: unknown = {}): Promise<void> => {
    await send(MCP, { headers: own, body: callTool(name, input) });
    await send(`${MCP}/${moderator}`, { body: callTool(name, input) });
  };
  const tell = async (name: string, body: unknown = {}): Promise<void> =>
    void (await send(`/owner/api/sessions/${sessionId}/${name}`, {
      ...{ headers: bearer(ownerKey), body: JSON.stringify(body) },
    }));
  await send(MCP, { headers: own, body: rpc('tools/list') });
  for (const name of ['moderator/status', 'events?limit=100', 'moderator/questions/list', 'moderator/reviews/list'])
    await send(restPath(sessionId, name), { headers: own });
  await call('ask_agents', { text: 'Is it signed?' });
  await call('raise_finding', { category: 'SCOPE', text: 'No limit.', resolution_criteria: 'A limit.' });
  await post('moderator/holds', { finding_id: 'f_1', reason: 'It is large.' });
  await post('moderator/recommend', { recommendation: 'PAUSE', text: 'Wait for the limit.' });
  await post('moderator/reviews', { revision_id: 'r_1' });
  await post('moderator/findings/resolve', { finding_id: 'f_2', outcome: 'RESOLVED' });
  await call('wait_for_activity', { wait_seconds: 1 });
  await post('events/ack', { cursor: 2 });
  await tell('stop-moderator', { reason: 'A break.' });
  await call('get_session_events');
  await send(restPath(sessionId, 'events'), { headers: own });
  await tell('restore-moderator');
  await tell('grant-moderator', { permissions: ['find', 'hold'] });
  await call('ask_agent', { text: 'Is it signed?' });
  await tell('grant-moderator', { permissions: ['ask', 'find', 'hold', 'review', 'recommend'] });
}

export interface Tokens {
  readonly agentA: string;
  readonly agentB: string;
  readonly moderator: string;
}

/** Sends requests that are refused for other reasons than a misplaced secret, such as a wrong role or method. */
export async function beRefused({ visitor, sessionId }: Cast, { agentA, moderator }: Tokens): Promise<void> {
  const { send } = visitor;
  const turns = restPath(sessionId, 'turns');
  await send(turns, { headers: bearer(moderator), body: '{"summary":"x"}' });
  await send(turns, { headers: bearer(agentA) });
  await send(`${MCP}/${agentA}`, { method: 'GET' });
  await send(`${MCP}/${agentA}`, { body: 'x'.repeat(300_000) });
  await send(`${MCP}/${agentA}x`, { body: rpc('ping') });
  await send(`${MCP}/${agentA}/${agentA}`, { body: rpc('ping') });
  await send(`${MCP}/${agentA}`, { body: '{' });
}

/** Sends requests until the rate limits of the token and of the address are reached. */
export async function runIntoLimits({ visitor }: Cast, token: string): Promise<void> {
  for (let n = 0; n < 160; n += 1) await visitor.send(`${MCP}/${token}`, { body: rpc('ping') });
  for (let n = 0; n < 45; n += 1) await visitor.send(`${MCP}/${token}/x`, { body: rpc('ping') });
  for (let n = 0; n < 14; n += 1) await visitor.send(`${REST}/invitations/redeem`, { body: `{"code":"${token}"}` });
}
