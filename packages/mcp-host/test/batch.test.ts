import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { MCP, start } from './started.ts';
import { createToolPort } from './tool-port.ts';

const post = async (body: unknown, port = createToolPort()) =>
  await ask((await start(port)).url, MCP, { body: JSON.stringify(body) });
const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
const call = (id: unknown, input: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: input },
});
const SENDER = { authorization: [], address: '127.0.0.1' };
const longAnswer = async () => ({ value: {}, text: JSON.stringify({ heard: 'x'.repeat(150_000) }) });
const NOTE = { jsonrpc: '2.0', method: 'notifications/initialized' };

describe('a batch', () => {
  it('is answered in order, without answers to notifications, even if elements fail', async () => {
    const { status, json } = await post([call(1, {}), NOTE, 5, ping('b'), { ...ping(0), method: 'x' }, call(null, {})]);
    expect(status).toBe(200);
    expect(json.map(({ id }: { id: unknown }) => id)).toEqual([1, null, 'b', 0, null]);
    expect(json[1].error.code).toBe(-32600);
    expect(json[3].error.code).toBe(-32601);
    expect(json[4].result.isError).toBe(false);
  });

  it('with one element is answered as a batch', async () => {
    expect((await post([ping(1)])).json).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('with only notifications is accepted with an empty answer', async () => {
    const { status, text } = await post([NOTE, NOTE]);
    expect([status, text]).toEqual([202, '']);
  });

  it('stops at 2 MB of answers: later elements are not executed and get an error', async () => {
    const port = createToolPort();
    const called: unknown[] = [];
    const long = {
      ...port,
      admit: async (sender: Parameters<typeof port.admit>[0]) => ({
        ...(await port.admit(sender)),
        callTool: async (_name: string, input: unknown) => {
          called.push(input);
          return await longAnswer();
        },
      }),
    };
    const batch = [...Array.from({ length: 8 }, (_, id) => call(id, { id })), NOTE, ping('last'), 5];
    const { status, json, text } = await post(batch, long);
    expect([status, called]).toEqual([200, [{ id: 0 }, { id: 1 }, { id: 2 }, { id: 3 }]]);
    expect(text.length).toBeLessThan(2_000_000);
    expect(json.map(({ id }: { id: unknown }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 'last', null]);
    expect(json[3].result.isError).toBe(false);
    for (const { error } of json.slice(4))
      expect(error).toEqual({
        code: -32013,
        message:
          'This call was not executed: the answers to the earlier calls of the batch have reached the limit of 2000000 bytes.',
        data: {
          ok: false,
          error: 'BATCH_FULL',
          message:
            'This call was not executed: the answers to the earlier calls of the batch have reached the limit of 2000000 bytes.',
          hint: 'Send this request and the later requests of the batch again, in another batch or one by one. None of them was executed.',
          limit: 2_000_000,
        },
      });
  });

  it('has at most 2 MB of answers even if its ids are long', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `${index}${'n'.repeat(3_800)}`);
    const { text, json } = await post(
      ids.map((id) => call(id, {})),
      { ...createToolPort(), admit: async () => ({ ...(await createToolPort().admit(SENDER)), callTool: longAnswer }) },
    );
    expect(text.length).toBeLessThan(2_000_000);
    expect(json.map(({ id }: { id: unknown }) => id)).toEqual(ids);
    expect(json.filter(({ result }: { result?: unknown }) => result !== undefined)).toHaveLength(3);
  });

  it('shares one waiting budget of 25 seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const port = createToolPort();
    const slow = {
      ...port,
      admit: async (sender: Parameters<typeof port.admit>[0]) => {
        const admission = await port.admit(sender);
        return {
          ...admission,
          callTool: async (...given: Parameters<typeof admission.callTool>) => {
            const result = await admission.callTool(...given);
            vi.advanceTimersByTime(10_000);
            return result;
          },
        };
      },
    };
    await post([call(1, {}), call(2, {}), call(3, {})], slow);
    const left = port.seen.filter(([step]) => step === 'call').map(([, detail]) => Object(detail).maxWaitSeconds);
    expect(left).toEqual([25, 15, 5]);
    await post(call(1, {}), port);
    expect(Object(port.seen.at(-1)?.[1]).maxWaitSeconds).toBeUndefined();
  });
});
