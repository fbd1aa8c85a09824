import { isIP } from 'node:net';
import type { Settings } from '../../../server/settings/settings.ts';
import type { Check } from '../check.ts';
import { fail, pass, type Result, warn } from '../result.ts';

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
