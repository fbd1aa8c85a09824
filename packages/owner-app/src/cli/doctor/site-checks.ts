import { isIP } from 'node:net';
import { sessionIdInSecret } from '@parley/core';
import type { Settings } from '../../server/settings/settings.ts';
import { askSite, type Check, describeAnswer, isOwnError, onSite, type SiteAnswer } from './deployment.ts';
import { fail, pass, type Result, reasonOf, warn } from './result.ts';

/** A text that has the form of a token, but belongs to no agent. */
const NO_TOKEN = `prt_${'0'.repeat(71)}`;
const NO_SESSION = '0'.repeat(22);

/**
 * Checks whether the proxy forwards the header Authorization. Parley answers a request without this header differently
 * from a request with an unknown token, so the check compares both answers.
 */
const authorization = onSite('authorization', async (url) => {
  const target = `${url}/api/public/agent/sessions/${NO_SESSION}/state`;
  const without = await askSite(target);
  const answer = await askSite(target, { headers: { authorization: `Bearer ${NO_TOKEN}` } });
  if (answer.status === 429 && isOwnError(answer))
    return pass(
      'not tried: the address of this machine has reached the request limit of the server; try again in a minute',
    );
  if (!isOwnError(answer) || answer.json?.error !== 'UNAUTHORIZED')
    return fail(
      `a request with an unknown token gets ${describeAnswer(answer)} instead of Parley's answer 401 UNAUTHORIZED`,
      'Configure the proxy to forward requests and answers below /api/public unchanged, without its own login or error pages.',
    );
  if (without.json?.message === answer.json.message)
    return fail(
      'the header Authorization does not reach Parley',
      'Configure the proxy to forward this header. Some proxies remove it, or use it for their own login (auth_basic of nginx).',
    );
  return pass('the header Authorization reaches Parley');
});

/** A body of 199,900 characters with four bytes each, nearly the largest body that the service accepts. */
const BODY = JSON.stringify({ code: '😀'.repeat(199_900) });
const BODY_SIZE_ADVICE =
  'Let the proxy accept bodies of 800,000 bytes, for example with client_max_body_size 2m in nginx. HAProxy has no such limit.';

/**
 * Checks whether the proxy forwards large bodies, by redeeming a very long text that is no invitation code. If Parley
 * itself refuses the text, the body has arrived.
 */
const bodySize = onSite('body size', async (url) => {
  const headers = { 'content-type': 'application/json' };
  const target = `${url}/api/public/agent/invitations/redeem`;
  const answer = await askSite(target, { method: 'POST', headers, body: BODY }).catch(() => undefined);
  if (!answer) return fail('the connection broke while a body of 200,000 characters was sent', BODY_SIZE_ADVICE);
  return judgeBody(answer);
});

function judgeBody(answer: SiteAnswer) {
  if (isOwnError(answer) && answer.json?.error !== 'BODY_TOO_LARGE')
    return pass('a body of 200,000 characters arrives');
  if (answer.status === 413) return fail('the proxy refuses a body of 200,000 characters (413)', BODY_SIZE_ADVICE);
  return warn(`a body of 200,000 characters gets ${describeAnswer(answer)}`, BODY_SIZE_ADVICE);
}

/** Checks which program answers at `HOST` and `PORT` of this machine. */
const localServer: Check = {
  name: 'server here',
  async run({ settings: { host, port } }) {
    if (port === 0) return undefined;
    const address = addressOf(host, port);
    const answer = await askSite(`${address}/readyz`, { withinMs: 5_000 }).catch(() => undefined);
    if (!answer) return pass(`no server answers at ${address}`);
    if (answer.status === 200 && answer.json?.ok === true) return pass(`the server at ${address} is ready`);
    if (answer.json?.reason === 'storage')
      return fail(
        `the server at ${address} cannot use its database`,
        'Read the log of that server, and what this command prints about PostgreSQL.',
      );
    if (answer.json?.reason === 'draining') return pass(`the server at ${address} is stopping`);
    return fail(
      `another program answers at ${address}: ${describeAnswer(answer)}`,
      'Stop that program, or choose another port for Parley with PORT or --port.',
    );
  },
};

function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

const WAIT_SECONDS = 25;
/** Milliseconds to wait for the answer: 25 seconds for the long-poll, and 15 seconds for the network and proxies. */
const WITHIN_MS = 40_000;
const LONG_POLL_ADVICE =
  'Allow answers to take a minute: with proxy_read_timeout 60s in nginx, timeout server 60s in HAProxy, or the idle time-out of a cloud load balancer.';

/**
 * Checks whether a long-poll can last 25 seconds, by making a long-poll with the token in `PARLEY_TOKEN`. Runs only
 * with `--long-poll`.
 */
const longPoll = onSite('long poll', async (url, { longPoll: isWanted, token }) => {
  if (!isWanted) return undefined;
  const sessionId = sessionIdInSecret('prt_', token ?? '');
  if (!token || !sessionId)
    return warn(
      'not tried: PARLEY_TOKEN is not set to a session token',
      'Set PARLEY_TOKEN to the session token of an agent that has nothing to do now.',
    );
  const target = `${url}/api/public/agent/sessions/${sessionId}/state`;
  const headers = { authorization: `Bearer ${token}` };
  const now = await askSite(target, { headers });
  if (now.status !== 200)
    return fail(
      `a request with the token in PARLEY_TOKEN gets ${describeAnswer(now)}`,
      'Redeem a new invitation, and set PARLEY_TOKEN to its token.',
    );
  const poll = `${target}?wait=${WAIT_SECONDS}&after=${Number(now.json?.cursor ?? 0)}`;
  const answer = await askSite(poll, { headers, withinMs: WITHIN_MS }).catch(reasonOf);
  if (typeof answer === 'string') return fail(`a request that should wait 25 s failed: ${answer}`, LONG_POLL_ADVICE);
  const seconds = (answer.tookMs / 1000).toFixed(1);
  if (answer.status !== 200)
    return fail(`a request that should wait 25 s got ${describeAnswer(answer)} after ${seconds} s`, LONG_POLL_ADVICE);
  if (answer.tookMs < (WAIT_SECONDS - 1) * 1_000)
    return warn(
      `a request that should wait 25 s was answered after ${seconds} s, because the session changed`,
      'Run parley doctor again with the token of an agent that has nothing to do, such as a moderator.',
    );
  return pass(`a request waited ${seconds} s and was answered`);
});

/**
 * Checks whether a proxy caches answers. Behind a cache, agents could get an old state or the state of another agent.
 */
const noStore = onSite('caching', (_url, { site }) => {
  const kept = site?.headers.get('cache-control') ?? '';
  if (site?.headers.get('age') || /\bhit\b/i.test(site?.headers.get('x-cache') ?? ''))
    return fail('a cache in front of the service answered', 'Turn off caching for this host in the proxy or CDN.');
  if (/\bno-store\b/.test(kept)) return pass('the header Cache-Control: no-store arrives unchanged');
  return fail(
    kept ? `the proxy changed Cache-Control to ${kept}` : 'the proxy removed Cache-Control: no-store',
    'Configure the proxy to leave Cache-Control unchanged; in nginx, remove expires and add_header Cache-Control.',
  );
});

export const publicUrl: Check = {
  name: 'public address',
  run: ({ settings }) =>
    refuseEverybody(settings) ??
    judgeAddress(settings) ??
    missProxies(settings) ??
    pass(settings.publicUrl ?? 'PARLEY_PUBLIC_URL is not needed: only programs on this machine can connect'),
};

const isLocal = (host: string): boolean => /^(?:localhost|.*\.localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);

function judgeAddress({ publicUrl: url, host }: Settings): Result | undefined {
  if (!url) {
    if (isLocal(host)) return undefined;
    return warn(
      `PARLEY_PUBLIC_URL is not set, and the server listens on ${host}: agents may not be able to reach the server at the address that invitations contain`,
      'Set PARLEY_PUBLIC_URL to the address at which agents reach the server or its proxy, such as https://parley.example.com.',
    );
  }
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || isLocal(hostname)) return undefined;
  return warn(
    `${url} is plain HTTP: others on the network can read tokens and the owner key`,
    'Put a TLS proxy in front of the server, as deploy/nginx.conf does, and set PARLEY_PUBLIC_URL to its https: address.',
  );
}

/**
 * Fails if every address counts as a trusted proxy. Runs before `judgeAddress` and `missProxies`, which only warn,
 * because the check returns only its first result.
 */
function refuseEverybody({ trustedProxies }: Settings): Result | undefined {
  const everybody = trustedProxies.find((entry) => /\/0$/.test(entry) && isIP(entry.slice(0, -2)) !== 0);
  if (!everybody) return undefined;
  return fail(
    `PARLEY_TRUSTED_PROXIES contains ${everybody}: every client can pretend to have any address`,
    'Set PARLEY_TRUSTED_PROXIES to the addresses of your proxies only.',
  );
}

function missProxies({ trustedProxies, publicUrl: url }: Settings): Result | undefined {
  if (!url || isLocal(new URL(url).hostname) || trustedProxies.length > 0) return undefined;
  return warn(
    'PARLEY_TRUSTED_PROXIES is empty: behind a proxy, all agents would count as one address and share one rate limit',
    'Set PARLEY_TRUSTED_PROXIES to the address of the proxy, if there is one.',
  );
}

/** Checks whether Parley answers at the public address, and whether the server has the same version as this program. */
const siteReachable: Check = {
  name: 'reachable',
  run({ settings, site, siteFault, version }) {
    const { publicUrl } = settings;
    if (!publicUrl) return undefined;
    if (!site)
      return fail(
        `${publicUrl} cannot be reached from here: ${siteFault}`,
        'Check DNS, the proxy, its certificate, and that the server runs. Some networks do not allow connections from inside to their own public address. In that case, run parley doctor outside of the network.',
      );
    if (site.json?.error === 'HOST_NOT_SERVED')
      return fail(
        `${publicUrl} reaches a server that does not know the name in the Host header: ${site.json.message}`,
        'Configure the proxy to forward the Host header unchanged (proxy_set_header Host $http_host), start the server with this PARLEY_PUBLIC_URL, or add the name to PARLEY_HOSTS.',
      );
    if (site.json?.ok !== true || typeof site.json.version !== 'string')
      return fail(
        `another program than Parley answers at ${publicUrl}: ${describeAnswer(site)}`,
        'Configure the proxy to forward every path to Parley unchanged, and check that the server behind it runs.',
      );
    if (site.json.version !== version)
      return warn(
        `the server at ${publicUrl} has version ${site.json.version}, but this program has version ${version}`,
        "Run parley doctor of the server's version, or install the newer version for both and restart the server.",
      );
    return pass(`${publicUrl} answers with version ${version}`);
  },
};

export const SITE_CHECKS: readonly Check[] = [
  localServer,
  publicUrl,
  siteReachable,
  noStore,
  authorization,
  bodySize,
  longPoll,
];
