import { describe, expect, it, test } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { bearer, callTool as call, rpc } from '../../../test/support/requests.ts';
import { createStandingClock, seat } from '../../http-host/test/seated.ts';
import { openWire } from '../../http-host/test/wire.ts';
import { MCP, start } from './started.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Starts the host on the real core. */
async function startSeated(options: Parameters<typeof seat>[0] = {}) {
  const seated = await seat(options);
  const serving = await start(seated.parley);
  const post = (token: string, body: string) => ask(serving.url, MCP, { headers: bearer(token), body });
  return { ...seated, ...serving, post };
}

describe('a token', () => {
  it('is refused as the interface specifies, with the REST code in error.data', async () => {
    const clock = createStandingClock();
    const { url, post, token, tokenA, tokenB } = await startSeated({ clock });
    const refusal = (heard: Awaited<ReturnType<typeof post>>) => [
      heard.status,
      heard.json.id,
      heard.json.error.code,
      heard.json.error.data.error,
      heard.headers['www-authenticate'],
    ];
    const unauthorized = (code: string, challenge = 'Bearer realm="parley", error="invalid_token"') => [
      ...[401, 1, -32001, code, challenge],
    ];
    const body = rpc('ping');
    expect(refusal(await ask(url, MCP, { body }))).toEqual(unauthorized('UNAUTHORIZED', 'Bearer realm="parley"'));
    expect(refusal(await post('prt_x', body))).toEqual(unauthorized('UNAUTHORIZED'));
    expect(
      refusal(await ask(url, `${MCP}/prt_short`, { body, headers: { Authorization: `Bearer ${tokenB}` } })),
    ).toEqual(unauthorized('UNAUTHORIZED'));
    await token('agent_a');
    expect(refusal(await post(tokenA, body))).toEqual(unauthorized('TOKEN_REVOKED'));
    clock.advance(DAY_MS);
    expect(refusal(await post(tokenB, body))).toEqual(unauthorized('TOKEN_EXPIRED'));
  });

  it.each(['prt_short', 'sse', `${'prt_'.padEnd(24, 'x')}/tools`, 'prt%5F1234567890123456'])(
    'that is malformed in the path is refused with the rule for the path segment: %s',
    async (segment) => {
      const { url } = await startSeated();
      const { status, json } = await ask(url, `${MCP}/${segment}`, { body: rpc('ping') });
      expect([status, json.error.message]).toEqual([
        401,
        'The last segment of the path is not a token. A token in the path is prt_ and 16 to 200 letters, digits, _ or -, with nothing after it.',
      ]);
      expect(json.error.data.hint).toMatch(/^If you have an invitation code .*\/invitations\/redeem with the body/);
    },
  );

  it('in the path is refused with a hint to the header if path tokens are off', async () => {
    const { parley, tokenA } = await seat();
    const { url } = await start(parley, { pathTokens: false });
    const { status, json } = await ask(url, `${MCP}/${tokenA}`, { body: rpc('ping') });
    expect([status, json.error.message]).toEqual([
      401,
      'This service does not accept tokens in the path. Send exactly one header "Authorization: Bearer prt_...".',
    ]);
  });

  it('in the path takes precedence over a token in the header', async () => {
    const { url, tokenB } = await startSeated();
    const heard = await ask(url, `${MCP}/${tokenB}`, {
      headers: { Authorization: 'Bearer nonsense' },
      body: rpc('ping'),
    });
    expect(heard.json.result).toEqual({});
  });

  it('that is revoked while it waits ends the call with 401', async () => {
    const { post, parley, owner, sessionId, tokenB } = await startSeated();
    const waiting = post(tokenB, call('wait_for_my_turn', { wait: 25 }));
    await expect.poll(() => parley.heldPolls()).toBe(1);
    await owner.call('revoke', sessionId, { role: 'agent_b' });
    const { status, json, headers } = await waiting;
    expect([status, json.id, json.error.code, json.error.data.error]).toEqual([401, 1, -32001, 'TOKEN_REVOKED']);
    expect(headers['www-authenticate']).toContain('Bearer');
  });
});

describe('the rate limit', () => {
  it('of requests without a token answers 429 with -32029 from the 61st request on', async () => {
    const { url } = await startSeated();
    for (let n = 0; n < 60; n += 1) expect((await ask(url, MCP, { body: rpc('ping') })).status).toBe(401);
    const { status, json, headers } = await ask(url, MCP, { body: rpc('ping') });
    expect([status, json.id, json.error.code, json.error.data.error]).toEqual([429, 1, -32029, 'RATE_LIMITED']);
    expect(Number(headers['retry-after'])).toBe(json.error.data.retry_after_seconds);
    expect((await ask(url, MCP, { method: 'OPTIONS' })).status).toBe(204);
    expect((await ask(url, MCP)).status).toBe(429);
  });

  it('of a token counts every element of a batch, and accepts or refuses the batch as a whole', async () => {
    const { post, tokenA } = await startSeated({ limits: { perToken: 12 } });
    const turn = JSON.parse(call('post_turn', { summary: 'Offsets hurt.' }));
    const pings = Array.from({ length: 10 }, (_, id) => JSON.parse(rpc('ping', undefined, id)));
    expect((await post(tokenA, JSON.stringify(pings))).json).toHaveLength(10);
    expect((await post(tokenA, JSON.stringify([turn, turn, turn]))).status).toBe(429);
    const state = await post(tokenA, call('read_session_state'));
    expect(state.json.result.structuredContent.turn_index).toBe(0);
  });
});

test('other requests are processed between the elements of a batch', async () => {
  const { post, tokenA } = await startSeated();
  const batch = Array.from({ length: 50 }, (_, id) => JSON.parse(rpc('ping', undefined, id)));
  let turns = 0;
  let isAnswered = false;
  const count = (): void => {
    turns += 1;
    if (!isAnswered) setImmediate(count);
  };
  setImmediate(count);
  expect((await post(tokenA, JSON.stringify(batch))).json).toHaveLength(50);
  isAnswered = true;
  expect(turns).toBeGreaterThanOrEqual(49);
});

describe('a tool', () => {
  it('can be called only by its own role', async () => {
    const { post, token, tokenA } = await startSeated();
    const moderator = await token('moderator');
    const answerOf = async (held: string, name: string) => {
      const { status, json } = await post(held, call(name));
      return [status, json.error?.code ?? 'answered'];
    };
    expect(await answerOf(moderator, 'post_turn')).toEqual([200, -32602]);
    expect(await answerOf(tokenA, 'post_turn')).toEqual([200, 'answered']);
    expect(await answerOf(tokenA, 'redeem_invitation')).toEqual([200, -32602]);
  });

  it('refuses bad arguments as a result that names the field', async () => {
    const { post, tokenA } = await startSeated();
    for (const input of [{}, { summary: 5 }, { summary: '' }, { summary: 'x', nope: 1 }]) {
      const { status, json } = await post(tokenA, call('post_turn', input));
      expect([status, json.result.isError]).toEqual([200, true]);
      expect(JSON.parse(json.result.content[0].text)).toEqual(json.result.structuredContent);
      expect(json.result.structuredContent).toMatchObject({ ok: false, error: 'INVALID_INPUT' });
    }
  });

  it('accepts values as JSON text, and null for omitted members', async () => {
    const { post, tokenA } = await startSeated();
    const input = { summary: '{"not":"parsed"}', questions: '["Is it indexed?"]', next_step: null };
    const { json } = await post(tokenA, call('post_turn', input));
    expect([json.result.isError, json.result.structuredContent.question_ids]).toEqual([false, ['q_1']]);
  });

  it('is listed with a schema that every client can read', async () => {
    const { post, tokenA } = await startSeated();
    const { json } = await post(tokenA, rpc('tools/list', { cursor: 'x' }));
    expect(Object.keys(json.result)).toEqual(['tools']);
    for (const tool of json.result.tools) {
      expect(tool).toMatchObject({ name: expect.stringMatching(/^[a-z_]{3,40}$/), inputSchema: { type: 'object' } });
      expect(tool.inputSchema.properties).toBeTypeOf('object');
      expect(tool).not.toHaveProperty('outputSchema');
    }
  });
});

describe('a batch', () => {
  it('runs in order on one session', async () => {
    const { post, tokenA } = await startSeated();
    const batch = [
      call('read_session_state'),
      call('post_turn', { summary: 'Offsets hurt.' }),
      rpc('nope'),
      call('read_session_state'),
    ];
    const { json } = await post(tokenA, `[${batch.join()}]`);
    const [before, posted, unknown, after] = json;
    expect(before.result.structuredContent.your_turn).toBe(true);
    expect(posted.result.structuredContent.next_agent).toBe('agent_b');
    expect(unknown.error.code).toBe(-32601);
    expect(after.result.structuredContent.your_turn).toBe(false);
  });

  it('with long answers stores nothing for elements that exceed the limit', async () => {
    const { post, parley, tokenA } = await startSeated();
    const agent = parley.agent(tokenA);
    for (let number = 1; number <= 80; number += 1)
      await agent.call('submit_decision', { topic: `Topic ${number}`, position: 'x'.repeat(4_000) });
    const batch = [
      call('list_decisions'),
      call('list_decisions'),
      call('submit_decision', { topic: 'One more', position: 'Ids.' }),
    ];
    const { json, text } = await post(tokenA, `[${batch.join()}]`);
    expect(text.length).toBeLessThan(2_000_000);
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(json.slice(0, 2).map(({ result }: { result: { isError: boolean } }) => result.isError)).toEqual([
      false,
      false,
    ]);
    expect(json[2].error.data.error).toBe('BATCH_FULL');
    const { decisions, left_out } = await agent.call('list_decisions', { after: 79 });
    expect([decisions.map(({ decision_id }) => decision_id), left_out]).toEqual([['d_80'], undefined]);
  });

  it('starts no further element after its client has disconnected', async () => {
    const { url, parley, tokenA, tokenB } = await startSeated();
    const body = `[${call('wait_for_my_turn', { wait: 25 })},${call('submit_decision', { topic: 'Cursor', position: 'Ids.' })}]`;
    const wire = await openWire(Number(new URL(url).port));
    wire.write(`POST ${MCP}/${tokenB} HTTP/1.1`, 'Host: a', `Content-Length: ${body.length}`, '', body);
    await expect.poll(() => parley.heldPolls()).toBe(1);
    wire.socket.destroy();
    await expect.poll(() => parley.heldPolls()).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await parley.agent(tokenA).call('list_decisions', {})).toMatchObject({ decisions: [] });
  });
});
