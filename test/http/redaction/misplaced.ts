import { bearer, callTool, rpc } from '../../support/requests.ts';
import type { Visitor } from './support/visitor.ts';

const REST = '/api/public/agent';
const MCP = '/api/public/mcp';

export interface Misplacing {
  readonly visitor: Visitor;
  readonly sessionId: string;
  readonly token: string;
  readonly ownerKey: string;
}

/** Sends the secret in every place where a client could put it by mistake, with a valid token and without a token. */
export async function misplace(secret: string, { visitor, sessionId, token, ownerKey }: Misplacing): Promise<void> {
  const { send } = visitor;
  const good = bearer(token);
  const owner = bearer(ownerKey);
  const escaped = `%${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`;
  const json = (value: unknown): string => JSON.stringify(value);
  for (const text of [secret, escaped]) {
    await send(`${REST}/sessions/${text}/state`, { headers: good });
    await send(`${REST}/sessions/${sessionId}/${text}`, { headers: good });
    await send(`${REST}/sessions/${sessionId}/messages?after=${text}`, { headers: good });
    await send(`${REST}/sessions/${sessionId}/messages?${text}=1`, { headers: good });
    await send(`${REST}/sessions/${sessionId}/messages?${text}&${text}`, { headers: good });
    await send(`${REST}/${text}`, {});
    await send(`${MCP}?token=${text}`, { headers: good, body: rpc('ping') });
    await send(`/owner/api/sessions/${text}`, { headers: owner });
    await send(`/owner/api/sessions/${sessionId}/${text}`, { headers: owner });
    await send(`/owner/api/sessions/${sessionId}/transcript?after=${text}&${text}=1`, { headers: owner });
    await send(`/owner/api/sessions?after=${text}&limit=${text}`, { headers: owner });
    await send(`/owner/api/sessions/${sessionId}/events?after=${text}`, { headers: owner });
    await send(`/owner/${text}`);
    await send(`/${text}?${text}`);
    await send(`/.well-known/${text}`);
    await send(`/healthz?${text}`);
  }
  await misplaceInBodies(secret, { visitor, sessionId, token, ownerKey }, json);
  await misplaceInHeaders(secret, { visitor, sessionId, token, ownerKey });
}

/** Sends the secret in every place where only a moderator could put it by mistake, with a moderator's token. */
export async function misplaceAsModerator(secret: string, { visitor, sessionId, token }: Misplacing): Promise<void> {
  const own = bearer(token);
  const route = (name: string): string => `${REST}/sessions/${sessionId}/${name}`;
  for (const name of [
    'events?after',
    'events?limit',
    'events?wait',
    'moderator/reviews/list?revision_id',
    'findings?x',
  ])
    await visitor.send(`${route(name)}=${secret}`, { headers: own });
  const finding = { category: 'SCOPE', text: secret, resolution_criteria: secret, target: secret };
  const calls = [
    ['moderator/questions', 'ask_agents', { text: `Is it ${secret}?`, evidence: [{ kind: 'log', reference: secret }] }],
    ['moderator/findings', 'raise_finding', { ...finding, request_hold: true, hold_reason: secret }],
    ['moderator/findings/resolve', 'resolve_finding', { finding_id: secret, outcome: secret }],
    ['moderator/withdraw', 'withdraw_intervention', { intervention_id: secret, outcome: secret }],
    ['moderator/holds', 'request_hold', { finding_id: 'f_1', reason: secret }],
    ['moderator/holds/release', 'release_hold', { hold_id: secret }],
    [
      'moderator/reviews',
      'submit_contract_review',
      { verdict: secret, summary: secret, dimensions: [{ name: secret }] },
    ],
    ['moderator/recommend', 'recommend_to_owner', { recommendation: 'OTHER', text: secret }],
    ['moderator/actions/complete', 'complete_action', { action_id: secret }],
    ['events/ack', 'ack_events', { cursor: secret }],
  ] as const;
  for (const [name, toolName, input] of calls) {
    await visitor.send(route(name), { headers: own, body: JSON.stringify(input) });
    await visitor.send(MCP, { headers: own, body: callTool(toolName, input) });
    await visitor.send(MCP, { headers: own, body: callTool(toolName, { ...input, [secret]: secret }) });
  }
}

async function misplaceInBodies(
  secret: string,
  { visitor: { send }, sessionId, token, ownerKey }: Misplacing,
  json: (value: unknown) => string,
): Promise<void> {
  const turns = { path: `${REST}/sessions/${sessionId}/turns`, headers: bearer(token) };
  const twice = `{"summary":"x","${secret}":1,"${secret}":2}`;
  const bodies = [json({ [secret]: 1 }), json({ summary: secret, nope: secret }), twice, `${secret}{`, json([secret])];
  const inside = json({ summary: 'x', questions: [{ text: 'x', to: secret, [secret]: 1 }], session_id: secret });
  for (const body of [...bodies, inside, secret.repeat(5_000)])
    await send(turns.path, { headers: turns.headers, body });
  await send(turns.path, {
    headers: { ...turns.headers, 'Idempotency-Key': `${secret} ${secret}` },
    body: '{"summary":"x"}',
  });
  const calls = [
    rpc(secret),
    callTool(secret),
    callTool('post_turn', { [secret]: secret }),
    callTool('ack_action', { action_id: secret }),
  ];
  for (const body of [...calls, json({ jsonrpc: secret, id: 1, method: secret })]) {
    await send(MCP, { headers: bearer(token), body });
  }
  const owner = { headers: bearer(ownerKey) };
  await send('/owner/api/sessions', { ...owner, body: json({ [secret]: secret, title: secret }) });
  await send(`/owner/api/sessions/${sessionId}/invite`, { ...owner, body: json({ role: secret, [secret]: 1 }) });
  await send('/owner/api/sign-in', { body: json({ owner_key: `${secret}x` }) });
  await send(`${REST}/invitations/redeem`, { body: json({ code: `${secret}x`, [secret]: 1 }) });
}

const HEADERS = [
  'Referer',
  'User-Agent',
  'Origin',
  'Cookie',
  'X-Request-Id',
  'traceparent',
  'X-Forwarded-For',
  'Last-Event-ID',
];

async function misplaceInHeaders(secret: string, { visitor, sessionId, token, ownerKey }: Misplacing): Promise<void> {
  const state = `${REST}/sessions/${sessionId}/state`;
  const everywhere = Object.fromEntries(HEADERS.map((name) => [name, secret]));
  await visitor.send(state, { headers: { ...everywhere, ...bearer(token) } });
  await visitor.send(state, { headers: { ...everywhere, Referer: `https://a.example/mcp/${secret}?t=${secret}` } });
  await visitor.send(`/owner/api/sessions/${sessionId}`, { headers: { ...everywhere, ...bearer(ownerKey) } });
  for (const value of [secret, `Basic ${secret}`, `Bearer ${secret} ${secret}`, `Bearer ${secret}x`]) {
    await visitor.send(state, { headers: { Authorization: value } });
    await visitor.send('/owner/api/sessions', { headers: { Authorization: value } });
  }
}
