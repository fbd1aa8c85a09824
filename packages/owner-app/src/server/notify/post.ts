import { createHmac } from 'node:crypto';
import { type LookupAddress, lookup as lookUp } from 'node:dns';
import { type IncomingHttpHeaders, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { Clock } from '@parley/core';

/**
 * Result of one delivery. After `refused` it is not repeated. `reason` contains neither the receiver's answer nor its
 * address.
 */
export type DeliveryResult =
  | { readonly result: 'taken' }
  | { readonly result: 'gone' }
  | { readonly result: 'refused'; readonly reason: string }
  | { readonly result: 'failed'; readonly reason: string; readonly retryAfterMs: number };

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Finds the addresses of the host. Default: those of the system. */
  readonly lookup?: RequestOptions['lookup'];
  /** Default: `outcomeOf`. */
  readonly judge?: (status: number, headers: IncomingHttpHeaders) => DeliveryResult;
}

const TIMEOUT_MS = 10_000;
const MAX_RETRY_AFTER_S = 3_600;

/** Sends a POST on a new connection. Redirects are not followed, and the body of the answer is ignored. */
export function post(
  { url, headers, body, lookup, judge = outcomeOf }: Post,
  clock: Clock,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const target = new URL(url);
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const options = {
      method: 'POST',
      agent: false,
      signal,
      lookup,
      headers: { 'user-agent': 'parley', ...headers, ...length },
    };
    const request = send(target, options);
    const cancel = clock.after(TIMEOUT_MS, () => {
      resolve(failed(`no answer within ${TIMEOUT_MS / 1000} s`));
      request.destroy();
    });
    request.on('response', (response) => {
      resolve(judge(response.statusCode ?? 0, response.headers));
      response.on('error', () => undefined).resume();
    });
    request.on('error', (error) => resolve(failed('code' in error ? String(error.code) : error.name)));
    request.on('close', cancel);
    request.end(body);
  });
}

function outcomeOf(status: number, headers: IncomingHttpHeaders): DeliveryResult {
  if (isTaken(status)) return { result: 'taken' };
  if (status === 410) return { result: 'gone' };
  return failed(`answered ${status}`, retryAfterMs(headers));
}

export const isTaken = (status: number): boolean => status >= 200 && status <= 299;

export function retryAfterMs({ 'retry-after': given = '' }: IncomingHttpHeaders): number {
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  return Math.min(seconds, MAX_RETRY_AFTER_S) * 1000;
}

export const failed = (reason: string, waitMs = 0): DeliveryResult => ({
  result: 'failed',
  reason,
  retryAfterMs: waitMs,
});

const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

/** Decodes the key in a secret. Undefined if the text is not a secret in the form of Standard Webhooks. */
export function signingKey(secret: string): Buffer | undefined {
  const text = SECRET.exec(secret)?.[1];
  const key = Buffer.from(text ?? '', 'base64');
  return key.length >= LEAST_BYTES && key.length <= MOST_BYTES ? key : undefined;
}

/** The exact text of a notice, and its id. All deliveries of a notice have the same id. */
interface Message {
  readonly id: string;
  readonly body: string;
}

/**
 * The headers of a delivery, as in Standard Webhooks 1.0.0, with one signature for each secret.
 *
 * @param nowMs time of this delivery, in milliseconds since 1970
 */
export function signedHeaders(secrets: readonly string[], { id, body }: Message, nowMs: number) {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.flatMap((secret) => {
    const key = signingKey(secret);
    return key ? [`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`] : [];
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** Networks that are no part of the internet, and those that lead to addresses of other networks. */
const NOT_PUBLIC = new BlockList();
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
  ...[
    '::/96',
    '::ffff:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '2001:db8::/32',
    '2002::/16',
    'fc00::/7',
    'fe80::/10',
  ],
  ...['fec0::/10', 'ff00::/8'],
]) {
  const [address = '', prefix] = network.split('/');
  NOT_PUBLIC.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

const isPublic = (address: string): boolean => !NOT_PUBLIC.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

class PrivateHost extends Error {
  readonly code = 'PRIVATE_HOST';
}

/**
 * Finds the addresses of a host, and fails with the code `PRIVATE_HOST` if one of them is not public. The connection is made to
 * the addresses that were judged.
 */
export const lookupPublic: RequestOptions['lookup'] = (host, options, callback) =>
  lookUp(host, { ...options, all: true }, (error, found) => {
    const fault = error ?? (found.every(({ address }) => isPublic(address)) ? null : new PrivateHost(host));
    const [first]: LookupAddress[] = found ?? [];
    if (fault) callback(fault, '', 0);
    else if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? '', first?.family);
  });

/** Whether the host of an address is an IP address that is not public: for such a host nothing is looked up. */
export function isPrivateAddress({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) !== 0 && !isPublic(address);
}
