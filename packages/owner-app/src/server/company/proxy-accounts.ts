import { createHash, timingSafeEqual } from 'node:crypto';
import { fail, type PersonAdmission } from '@parley/core';
import { peerTest } from '@parley/http-host';
import type { Context } from 'koa';
import { noRole } from './oidc-provider.ts';
import { type RoleMapping, roleOf } from './role-mapping.ts';

/** The header in which the proxy proves that it sends a request. */
const PROXY_SECRET_HEADER = 'Parley-Proxy-Secret';

/** Begins the subject of each person whom a proxy names. No issuer of an OpenID provider begins so, because it is an address. */
const SUBJECT_PREFIX = 'proxy ';
const MAX_USER_CHARS = 200;

/** How a proxy in front of the service signs people in. */
export interface ProxyOptions {
  /** The header with the user, such as X-Forwarded-User. */
  readonly userHeader: string;
  /** The header with the user's groups, separated by commas. */
  readonly groupsHeader: string;
  /** What the proxy sends in Parley-Proxy-Secret. */
  readonly secret: string;
  readonly roles: RoleMapping;
  /** Proxies whose headers are believed: addresses and networks. */
  readonly trustedProxies: readonly string[];
}

/** The people whom a proxy names in a header. */
export interface ProxyAccounts {
  /** Whether a request names a user, whether or not that can be believed. */
  isNamed(ctx: Context): boolean;
  /**
   * The person whom a request names. The header is believed only from a trusted proxy that sends the secret.
   *
   * @throws ParleyError UNAUTHORIZED with the reason
   */
  accountOf(ctx: Context): PersonAdmission;
  /** Whether a subject is that of a person whom a proxy has named. */
  knows(subject: string): boolean;
}

export function openProxyAccounts(options: ProxyOptions): ProxyAccounts {
  const { userHeader, groupsHeader, secret, roles, trustedProxies } = options;
  const isTrusted = peerTest(trustedProxies);
  const expected = digest(secret);
  const values = (ctx: Context, name: string): readonly string[] => ctx.req.headersDistinct[name.toLowerCase()] ?? [];
  const requireBelieved = (ctx: Context): void => {
    if (!isTrusted(ctx.req))
      refuse(`${userHeader} is not believed: the request does not come from a trusted proxy (PARLEY_TRUSTED_PROXIES).`);
    const sent = values(ctx, PROXY_SECRET_HEADER);
    // Compared even without a header, so that the time tells nothing about the secret.
    const isRight = timingSafeEqual(digest(sent[0] ?? ''), expected);
    if (sent.length !== 1 || !isRight)
      refuse(
        `${userHeader} is not believed: the header ${PROXY_SECRET_HEADER} does not have the secret (PARLEY_AUTH_SECRET).`,
      );
  };
  return {
    isNamed: (ctx) => values(ctx, userHeader).length > 0,
    accountOf(ctx) {
      const sent = values(ctx, userHeader);
      if (sent.length === 0) refuse(`The proxy sent no ${userHeader}: it has not signed you in.`);
      requireBelieved(ctx);
      if (sent.length > 1) refuse(`The proxy must send ${userHeader} once, not ${sent.length} times.`);
      const user = decoded(sent[0] ?? '');
      if (user === undefined || !USER.test(user))
        return refuse(
          `${userHeader} must be the name of a user: 1 to ${MAX_USER_CHARS} characters of UTF-8 on one line, without spaces around it.`,
        );
      const groups = decoded(values(ctx, groupsHeader).join(',')) ?? '';
      const role = roleOf(
        roles,
        groups.split(',').map((group) => group.trim()),
      );
      if (!role) return refuse(noRole(`The header ${groupsHeader} of your proxy`));
      return { subject: `${SUBJECT_PREFIX}${user}`, name: user, role };
    },
    knows: (subject) => subject.startsWith(SUBJECT_PREFIX),
  };
}

/** One line without spaces around it, without control characters and without characters that nobody sees. */
const USER = new RegExp(`^(?! )[^\\p{C}\\p{Zl}\\p{Zp}]{1,${MAX_USER_CHARS}}(?<! )$`, 'u');

/** A header as UTF-8. Node reads each byte as one character. Undefined if the bytes are not UTF-8. */
function decoded(value: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return undefined;
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const refuse = (message: string): never => fail('UNAUTHORIZED', message);
