import { describe, expect, it } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { createEchoPort } from './echo-port.ts';
import { start } from './started.ts';

const addressOf = async (forwarded: string | string[] | undefined, trustedProxies?: string[]) => {
  const { url } = await start(createEchoPort(), trustedProxies ? { trustedProxies } : {});
  const headers = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
  return (await ask(url, '/api/public/agent/x', { headers })).json.address;
};

describe('the client address', () => {
  it("is the peer's address without trusted proxies, independently of headers", async () => {
    expect(await addressOf('192.0.2.1')).toBe('127.0.0.1');
  });

  it("is the peer's address if the peer is not a trusted proxy", async () => {
    expect(await addressOf('192.0.2.1', ['10.0.0.0/8'])).toBe('127.0.0.1');
  });

  it('is the right-most entry that is not a trusted proxy', async () => {
    const trusted = ['127.0.0.1', '10.0.0.0/8'];
    expect(await addressOf('198.51.100.9, 192.0.2.1', trusted)).toBe('192.0.2.1');
    expect(await addressOf('198.51.100.9, 192.0.2.1, 10.1.1.1', trusted)).toBe('192.0.2.1');
  });

  it('reads repeated headers as one list', async () => {
    expect(await addressOf(['198.51.100.9', '192.0.2.1, 10.1.1.1'], ['127.0.0.1', '10.0.0.0/8'])).toBe('192.0.2.1');
  });

  it('is the last trusted hop if the entry before it is not an address', async () => {
    expect(await addressOf('192.0.2.1, unknown, 10.1.1.1', ['127.0.0.1', '10.0.0.0/8'])).toBe('10.1.1.1');
  });

  it("is the first hop if all hops are trusted, and the peer's address without a header", async () => {
    expect(await addressOf('10.0.0.1, 10.0.0.2', ['127.0.0.1', '10.0.0.0/8'])).toBe('10.0.0.1');
    expect(await addressOf(undefined, ['127.0.0.1'])).toBe('127.0.0.1');
  });

  it('of IPv6 is its /64 network', async () => {
    expect(await addressOf('2001:db8:1:2:3::4', ['127.0.0.1'])).toBe('2001:db8:1:2::/64');
  });
});
