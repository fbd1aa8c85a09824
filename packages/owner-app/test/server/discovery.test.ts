import { expect, test } from 'vitest';
import { ask } from '../ask.ts';
import { runApp } from '../running-app.ts';

const JWKS = '/.well-known/parley/jwks.json';
const CARD = '/.well-known/mcp/server-card.json';

test('/llms.txt says at the address of the request how an agent joins', async () => {
  const { url } = await runApp();
  const { status, text, headers } = await ask(url, '/llms.txt');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^# Parley\n\n> .+\n\n/);
  expect(text).toContain(`POST ${url}/api/public/agent/invitations/redeem`);
  expect(text).toContain(`the endpoint is ${url}/api/public/mcp\n`);
});

test('the server card names the public address, and the header without a value', async () => {
  const { url } = await runApp({ publicUrl: 'https://parley.example.com' });
  const { text } = await ask(url, CARD);
  const card = JSON.parse(text);
  expect(card).toMatchObject({
    name: 'com.example.parley/parley',
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://parley.example.com/api/public/mcp',
        headers: [{ name: 'Authorization', isRequired: true, isSecret: true }],
      },
    ],
  });
  expect(card.remotes[0].headers[0]).not.toHaveProperty('value');
});

test('behind a proxy that is trusted, the address has the scheme that the proxy names', async () => {
  const proxied = await runApp({ trustedProxies: ['127.0.0.1'] });
  const other = await runApp({ trustedProxies: ['192.0.2.1'] });
  for (const [{ url }, header, scheme] of [
    [proxied, 'https', 'https'],
    [proxied, 'http', 'http'],
    [proxied, 'https://evil.example/x?', 'http'],
    [other, 'https', 'http'],
  ] as const) {
    const { text } = await ask(url, '/llms.txt', { headers: { 'X-Forwarded-Proto': header } });
    expect(text).toContain(`the endpoint is ${scheme}://${new URL(url).host}/api/public/mcp\n`);
  }
});

test('the key set has the public keys of certificates, and nothing of a private key', async () => {
  const { url } = await runApp();
  const { text, headers } = await ask(url, JWKS);
  expect(headers.get('content-type')).toBe('application/jwk-set+json');
  const [key, ...others] = JSON.parse(text).keys;
  expect([Object.keys(key).toSorted(), others]).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x'], []]);
});

test('all are read only', async () => {
  const { url } = await runApp();
  for (const path of ['/llms.txt', CARD, JWKS]) {
    const { status } = await fetch(`${url}${path}`, { method: 'POST' });
    expect(status).toBe(404);
  }
});
