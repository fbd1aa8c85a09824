import { createHash, timingSafeEqual } from 'node:crypto';
import { fail, type People, type PersonAdmission, type PersonRole, proxySubject } from '@parley/core';
import { peerTest } from '@parley/http-host';
import type { Context } from 'koa';
import { type RoleMapping, roleOf } from './role-mapping.ts';

/** A person whom a provider or a proxy has identified. */
export interface Identified extends Omit<PersonAdmission, 'role'> {
  /** Undefined if none of the person's groups has a role. */
  readonly role: PersonRole | undefined;
  /** Where the groups come from, as the subject of a sentence. */
  readonly groupsFrom: string;
}

/**
 * Returns an identified person as `People.admit` takes it. If the person has no role, ends every earlier sign-in of the
 * person.
 *
 * @throws ParleyError UNAUTHORIZED if the person has no role
 */
export async function admissionOf(
  people: Pick<People, 'dismiss'>,
  { role, groupsFrom, ...who }: Identified,
): Promise<PersonAdmission> {
  if (role) return { ...who, role };
  await people.dismiss(who.subject);
  return fail(
    'UNAUTHORIZED',
    `${groupsFrom} contains no group with a role on this service. Ask whoever runs this service to add you to a group, or to give one of your groups a role (PARLEY_OIDC_ROLES).`,
  );
}

/** The header with the secret of the proxy. The secret proves that the request came through the proxy. */
const PROXY_SECRET_HEADER = 'Parley-Proxy-Secret';

const MAX_USER_CHARS = 200;

export interface ProxyOptions {
  /** The header with the user, such as X-Forwarded-User. */
  readonly userHeader: string;
  /** The header with the user's groups, separated by commas. */
  readonly groupsHeader: string;
  /** The secret that the proxy sends in the header `PROXY_SECRET_HEADER`. */
  readonly secret: string;
  readonly roles: RoleMapping;
  /** The addresses and networks of the proxies whose headers are accepted. */
  readonly trustedProxies: readonly string[];
}

/** The people whom a proxy identifies by a header. */
export interface ProxyAccounts {
  /** Whether a request has the header with a user. Neither the proxy nor the secret is checked. */
  isNamed(ctx: Context): boolean;
  /**
   * The person whom a request names. The header is accepted only if a trusted proxy sent it together with the secret.
   *
   * @throws ParleyError UNAUTHORIZED with the reason
   */
  accountOf(ctx: Context): Identified;
  /** Whether a subject, which is the stored id of a person with a company account, comes from a proxy. */
  knows(subject: string): boolean;
}

export function openProxyAccounts(options: ProxyOptions): ProxyAccounts {
  const { userHeader, groupsHeader, secret, roles, trustedProxies } = options;
  const isTrusted = peerTest(trustedProxies);
  const expected = digest(secret);
  const values = (ctx: Context, name: string): readonly string[] => ctx.req.headersDistinct[name.toLowerCase()] ?? [];
  const requireBelieved = (ctx: Context): void => {
    if (!isTrusted(ctx.req))
      refuse(
        `${userHeader} was ignored: the request does not come from a proxy in PARLEY_TRUSTED_PROXIES. Tell whoever runs this service.`,
      );
    const sent = values(ctx, PROXY_SECRET_HEADER);
    // Compares the secret even if its header is absent, so that the duration reveals nothing about the secret.
    const isRight = timingSafeEqual(digest(sent[0] ?? ''), expected);
    if (sent.length !== 1 || !isRight)
      refuse(
        `${userHeader} was ignored: the header ${PROXY_SECRET_HEADER} does not contain the secret (PARLEY_AUTH_SECRET). Tell whoever runs this service.`,
      );
  };
  /** Refuses a header that was sent twice: one of the two may be of the client, which the proxy has not removed. */
  const requireOne = (ctx: Context, name: string): void => {
    const { length } = values(ctx, name);
    if (length > 1)
      refuse(
        `The proxy must send ${name} once, not ${length} times. Tell whoever runs this service: the proxy must remove this header from what it receives.`,
      );
  };
  return {
    isNamed: (ctx) => values(ctx, userHeader).length > 0,
    accountOf(ctx) {
      const sent = values(ctx, userHeader);
      if (sent.length === 0)
        refuse(`The proxy sent no ${userHeader}, so you are not signed in at the proxy. Sign in there first.`);
      requireBelieved(ctx);
      requireOne(ctx, userHeader);
      requireOne(ctx, groupsHeader);
      const user = decoded(sent[0] ?? '');
      if (user === undefined || !USER.test(user))
        return refuse(
          `${userHeader} must be the name of a user: 1 to ${MAX_USER_CHARS} characters of UTF-8 on one line, without spaces at its ends.`,
        );
      const groups = decoded(values(ctx, groupsHeader)[0] ?? '') ?? '';
      const role = roleOf(
        roles,
        groups.split(',').map((group) => group.trim()),
      );
      const groupsFrom = `The header ${groupsHeader} of your proxy`;
      return { subject: proxySubject(user), name: user, role, groupsFrom };
    },
    knows: (subject) => subject.startsWith(proxySubject('')),
  };
}

/** Matches the name of a user: one line, without spaces at the ends, control characters or invisible characters. */
const USER = new RegExp(`^(?! )[^\\p{C}\\p{Zl}\\p{Zp}]{1,${MAX_USER_CHARS}}(?<! )$`, 'u');

/**
 * Decodes a header as UTF-8, because Node decodes each byte of a header as one character. Undefined if the bytes are
 * not UTF-8.
 */
function decoded(value: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return undefined;
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const refuse = (message: string): never => fail('UNAUTHORIZED', message);
