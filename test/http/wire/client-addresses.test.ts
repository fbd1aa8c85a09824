import { describe, expect, test } from 'vitest';
import type { Sent } from '../../support/exchange.ts';
import { type Service, startService } from '../../support/service.ts';
import { redeem, tally, tokenless, UNKNOWN_CODE } from './support/rates.ts';

const forwarded = (sent: Sent, value: string | readonly string[]): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'X-Forwarded-For': typeof value === 'string' ? value : [...value] },
});

type Claim = (n: number) => string | readonly string[];

/**
 * Sends one request more than each limit: 61 requests without a token and 11 redemptions. `claim` makes the address
 * from which a request pretends to come. Returns how often each status occurred.
 */
async function spendAll(service: Service, claim: Claim): Promise<readonly Record<string, number>[]> {
  return [
    await tally(service, 61, (n) => forwarded(tokenless(n), claim(n))),
    await tally(service, 11, (n) => forwarded(redeem(UNKNOWN_CODE), claim(n))),
  ];
}

const ONE_CLIENT = [
  { 401: 60, 429: 1 },
  { 404: 10, 429: 1 },
];
const LOOPBACK = ['127.0.0.1', '::1'];
const WITH_NETWORK = [...LOOPBACK, '10.0.0.0/8', 'fd00::/8'];

const CLAIMS: readonly (readonly [name: string, trusted: readonly string[], claim: Claim])[] = [
  ['claims another address each time, where no proxy is trusted', [], (n) => `203.0.113.${n}`],
  ['claims another address each time, where only others are trusted', ['10.0.0.0/8'], (n) => `203.0.113.${n}`],
  ['claims to be trusted itself', ['10.0.0.0/8'], (n) => `203.0.113.${n}, 10.0.0.${n}`],
  ['claims addresses left of its own', LOOPBACK, (n) => `203.0.113.${n}, 192.0.2.1`],
  ['claims addresses in headers before the proxy’s', LOOPBACK, (n) => [`203.0.113.${n}`, '192.0.2.1']],
  ['claims to stand behind trusted proxies', WITH_NETWORK, (n) => `203.0.113.${n}, 192.0.2.1, 10.0.0.${n}`],
  ['comes through several trusted proxies', WITH_NETWORK, (n) => `192.0.2.1, fd00::${n}, 10.0.0.${n}`],
  ['claims what is no address', LOOPBACK, (n) => `203.0.113.${n}, client-${n}`],
  ['claims nothing but commas', LOOPBACK, (n) => ','.repeat(n)],
  ['is named with another port each time', LOOPBACK, (n) => `192.0.2.1:${1024 + n}`],
  ['is named as IPv4 inside IPv6', LOOPBACK, (n) => (n % 2 ? '192.0.2.1' : '::ffff:192.0.2.1')],
  ['has another address of its /64 each time', LOOPBACK, (n) => `2001:db8:1:2:${n}::1`],
  [
    'spells its IPv6 address in other ways',
    LOOPBACK,
    (n) => (n % 2 ? '[2001:DB8:1:2::1]:443' : '2001:0db8:0001:0002:0:0:0:1%eth0'),
  ],
];

describe('a client', () => {
  test.each(CLAIMS)('that %s is one client', async (_name, trustedProxies, claim) => {
    expect(await spendAll(await startService({ trustedProxies }), claim)).toEqual(ONE_CLIENT);
  });

  test.each([
    ['192.0.2.1', '192.0.2.2'],
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8::1', '192.0.2.1'],
    ['203.0.113.9, 192.0.2.1', '192.0.2.1, 203.0.113.9'],
  ])('named %s spends nothing of the one named %s', async (first, second) => {
    const service = await startService({ trustedProxies: LOOPBACK });
    expect(await spendAll(service, () => first)).toEqual(ONE_CLIENT);
    expect(await spendAll(service, () => second)).toEqual(ONE_CLIENT);
  });
});
