import { describe, expect, it, test } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { bearer, callTool as call, rpc } from '../../../test/support/requests.ts';
import { seat } from '../../http-host/test/seated.ts';
import { openWire } from '../../http-host/test/wire.ts';
import { MCP, start } from './started.ts';

/** Starts the host on the real core. */
async function startSeated(options: Parameters<typeof seat>[0] = {}) {
  const seated = await seat(options);
  const serving = await start(seated.parley);
  const post = (token: string, body: string) => ask(serving.url, MCP, { headers: bearer(token), body });
  return { ...seated, ...serving, post };
}

describe('a token', () => {
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

describe('a batch', () => {
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
