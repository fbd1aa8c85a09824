import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createAgentClient,
  createOwnerClient,
  NoAnswer,
  overHttp,
  ParleyError,
  redeem,
} from '../../src/client/index.ts';

const AGENTS = 'https://parley.example.com/api/public/agent';
const OWNERS = 'https://parley.example.com/owner/api';
const SEAT = { session_id: 's1', token: 'prt_x', role: 'agent_a' } as const;

type Given = Response | Error;
const json = (body: object, status = 200, headers = {}) => new Response(JSON.stringify(body), { status, headers });
const refusal = (code: string, status: number, more = {}) =>
  json({ ok: false, error: code, message: 'No.', hint: 'Do it.', ...more }, status);

/** A network that gives these answers in order, and keeps what was sent. */
function network(...given: Given[]) {
  const sent: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    sent.push({ url, init });
    const answer = given.shift();
    if (answer instanceof Response) return answer;
    throw answer ?? new Error('No answer is left.');
  };
  return { sent, fetch };
}

const agentOn = (given: ReturnType<typeof network>, seat: Parameters<typeof createAgentClient>[1] = SEAT) =>
  createAgentClient(overHttp(AGENTS, given), seat);
const ownerOn = (given: ReturnType<typeof network>) =>
  createOwnerClient(overHttp(OWNERS, { ...given, headers: { authorization: 'Bearer pok_x' } }));

afterEach(() => void vi.useRealTimers());

describe('a call', () => {
  test('of an agent goes to the route of its role, with its token', async () => {
    const net = network(json({ ok: true }), json({ ok: true }), json({ ok: true }));
    await agentOn(net).call('complete_action', { action_id: 'act_1' });
    await agentOn(net, { ...SEAT, role: 'moderator' }).call('complete_action', { action_id: 'act_1' });
    await agentOn(net).call('read_messages', { after: 7 });
    expect(net.sent.map(({ url, init }) => [init.method, url, init.body])).toEqual([
      ['POST', `${AGENTS}/sessions/s1/actions/complete`, '{"action_id":"act_1"}'],
      ['POST', `${AGENTS}/sessions/s1/moderator/actions/complete`, '{"action_id":"act_1"}'],
      ['GET', `${AGENTS}/sessions/s1/messages?after=7`, undefined],
    ]);
    expect(net.sent[2]?.init.headers).toEqual({ authorization: 'Bearer prt_x' });
  });

  test('that waits goes to the read that waits', async () => {
    const net = network(json({}), json({}), json({}));
    await agentOn(net).call('wait_for_my_turn', { wait: 5, after: 3 });
    const moderator = agentOn(net, { ...SEAT, role: 'moderator' });
    await moderator.call('wait_for_activity');
    await moderator.call('wait_for_activity', { wait_seconds: 2 });
    expect(net.sent.map(({ url }) => url.slice(`${AGENTS}/sessions/s1`.length))).toEqual([
      '/state?wait=5&after=3',
      '/events?wait=25',
      '/events?wait=2',
    ]);
  });

  test('of the owner takes the ids in its path out of the input', async () => {
    const net = network(json({}), json({}), json({}), json({}));
    await ownerOn(net).call('extendRounds', { session_id: 's/1', rounds: 2 });
    await ownerOn(net).call('view', { session_id: 's1' });
    await ownerOn(net).call('setPersonRole', { person_id: 'p1', role: 'viewer' });
    await ownerOn(net).call('deleteSession', { session_id: 's1' });
    expect(net.sent.map(({ url, init }) => [init.method, url.slice(OWNERS.length), init.body])).toEqual([
      ['POST', '/sessions/s%2F1/extend-rounds', '{"rounds":2}'],
      ['GET', '/sessions/s1', undefined],
      ['POST', '/people/p1/role', '{"role":"viewer"}'],
      ['DELETE', '/sessions/s1', undefined],
    ]);
  });

  test('follows no redirect, which would take the token along', async () => {
    const net = network(json({}));
    await redeem(overHttp(AGENTS, net), { code: 'pinv_x' });
    expect(net.sent[0]?.init.redirect).toBe('error');
  });
});

describe('a refusal', () => {
  test('is a ParleyError with code, status and the other members', async () => {
    const net = network(refusal('UNKNOWN_RECORD', 404, { record: 'd_1' }));
    const error = await agentOn(net)
      .call('accept_decision', { decision_id: 'd_1' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ParleyError);
    expect(error).toMatchObject({
      code: 'UNKNOWN_RECORD',
      status: 404,
      message: 'No.',
      details: { hint: 'Do it.', record: 'd_1' },
    });
  });

  test.each([
    ['a page of a proxy', new Response('<h1>Bad gateway</h1>', { status: 502 }), 502],
    ['a list', json([]), 200],
    ['an error of another service', json({ error: 'nope' }, 400), 400],
  ])('that does not come from Parley is no answer: %s', async (_what, given, status) => {
    const error = await agentOn(network(given))
      .call('post_turn', { summary: 'S' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoAnswer);
    expect(error).toMatchObject({ status });
  });
});

describe('a lost call', () => {
  const lost = () => new TypeError('fetch failed');

  test.each([
    ['a read', 'read_messages', { after: 0 }],
    ['a call with a request_id', 'post_turn', { summary: 'S', request_id: 't1' }],
  ] as const)('is sent again: %s', async (_what, name, input) => {
    vi.useFakeTimers();
    const net = network(lost(), refusal('SHUTTING_DOWN', 503, { retry_after_seconds: 2 }), json({ ok: true }));
    const answer = agentOn(net).call(name, input);
    await vi.runAllTimersAsync();
    await expect(answer).resolves.toEqual({ ok: true });
    expect(net.sent).toHaveLength(3);
  });

  test('of the owner is sent again with its key, and not without', async () => {
    vi.useFakeTimers();
    const keyed = network(lost(), json({ ok: true }));
    const answer = ownerOn(keyed).call('pause', { session_id: 's1', reason: 'R' }, { key: 'k1' });
    await vi.runAllTimersAsync();
    await answer;
    expect(keyed.sent.map(({ init }) => new Headers(init.headers).get('idempotency-key'))).toEqual(['k1', 'k1']);
    const bare = network(lost());
    await expect(ownerOn(bare).call('pause', { session_id: 's1', reason: 'R' })).rejects.toBeInstanceOf(NoAnswer);
    expect(bare.sent).toHaveLength(1);
  });

  test('is given up after three more, or if the pause is long', async () => {
    vi.useFakeTimers();
    const net = network(lost(), lost(), lost(), lost());
    const failed = expect(agentOn(net).call('read_task')).rejects.toBeInstanceOf(NoAnswer);
    await vi.runAllTimersAsync();
    await failed;
    const limited = network(refusal('RATE_LIMITED', 429, { retry_after_seconds: 300 }));
    await expect(agentOn(limited).call('read_task')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('ends with the signal, also during a pause', async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const net = network(lost());
    const failed = expect(agentOn(net).call('read_task', {}, { signal: stop.signal })).rejects.toThrow('enough');
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    stop.abort(new Error('enough'));
    await failed;
    expect(vi.getTimerCount()).toBe(0);
  });
});
