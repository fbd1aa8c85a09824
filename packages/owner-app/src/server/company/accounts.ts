import { createHash, timingSafeEqual } from 'node:crypto';
import { fail, type People, type PersonAdmission, type PersonRole, proxySubject } from '@parley/core';
import { peerTest } from '@parley/http-host';
import type { Context } from 'koa';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  fetchUserInfo,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { type RoleMapping, roleOf } from './role-mapping.ts';

/** A person whom a provider or a proxy has identified. */
interface Identified extends Omit<PersonAdmission, 'role'> {
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

export const refuse = (message: string): never => fail('UNAUTHORIZED', message);

/** Seconds after which a request to the provider fails. */
const TIMEOUT_SECONDS = 10;
/** Seconds by which the clocks of the provider and of this machine may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;

/**
 * After a failed read of the provider's configuration, sign-ins fail without a new request for this number of
 * milliseconds. The first sign-in after that reads the configuration again.
 */
const RETRY_AFTER_MS = 5_000;

export interface OidcOptions {
  /** The issuer, whose `/.well-known/openid-configuration` is read at the first sign-in. */
  readonly issuer: string;
  readonly clientId: string;
  /** The client secret. Undefined for a public client. */
  readonly clientSecret: string | undefined;
  readonly scope: string;
  /** Name of the claim with the groups, in the ID token or in the answer of the userinfo endpoint. */
  readonly groupsClaim: string;
  readonly roles: RoleMapping;
  /** The address of this service that browsers use. */
  readonly publicUrl: string;
}

/** The values that the browser keeps in an encrypted cookie during a sign-in. */
interface Transaction {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/**
 * An OpenID provider. Methods that return a promise reject with ParleyError UNAUTHORIZED, whose message is shown to the
 * person who signs in.
 */
export interface OidcProvider {
  /** Starts a sign-in. Returns the provider's address to which the browser must go. */
  begin(): Promise<{ readonly url: string; readonly transaction: Transaction }>;
  /**
   * Ends a sign-in: exchanges the code, with PKCE, and checks state, nonce and ID token.
   *
   * @param query the query with which the provider sent the browser back
   */
  finish(query: string, transaction: Transaction): Promise<Identified>;
  /** Whether a subject, which is the stored id of a person with a company account, belongs to this provider. */
  knows(subject: string): boolean;
  /** The address at which people sign out of the provider. Undefined if the provider has no such address. */
  endSessionUrl(): Promise<string | undefined>;
}

/** Path to which the provider sends the browser back. */
export const CALLBACK_PATH = '/owner/sign-in/callback';

/**
 * Opens an OpenID provider. Reads the provider's configuration at the first sign-in, so that the service starts even if
 * the provider does not answer.
 *
 * @param now returns the current time in milliseconds
 * @param onFault called with the reason if the provider does not answer, or if its answer is not accepted; the reason
 * contains no token and no claim
 */
export function openOidcProvider(
  options: OidcOptions,
  now: () => number,
  onFault: (reason: string) => void,
): OidcProvider {
  const { issuer, clientId, clientSecret, scope, groupsClaim, roles, publicUrl } = options;
  const redirectUri = `${publicUrl}${CALLBACK_PATH}`;
  let found: Promise<Configuration> | undefined;
  /**
   * The time of the last failed read of the configuration, in milliseconds. Undefined if no read has failed since the
   * last read began.
   */
  let failedAt: number | undefined;

  const wordOf = wordWithout(clientSecret);
  const refuse = (error: unknown, message: string): never => {
    onFault(reasonOf(error, wordOf));
    return fail('UNAUTHORIZED', message);
  };
  const read = async (): Promise<Configuration> => {
    try {
      return await discovery(
        new URL(issuer),
        clientId,
        { [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
        clientSecret === undefined ? None() : ClientSecretPost(clientSecret),
        { timeout: TIMEOUT_SECONDS, execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [] },
      );
    } catch (error) {
      failedAt = now();
      return refuse(error, NO_ANSWER);
    }
  };
  const configuration = (): Promise<Configuration> => {
    if (failedAt !== undefined && now() - failedAt >= RETRY_AFTER_MS) found = failedAt = undefined;
    found ??= read();
    return found;
  };

  /** The claims of the ID token. If these contain no groups, the claims of the userinfo endpoint are added. */
  const claimsOf = async (config: Configuration, tokens: Tokens): Promise<Claims> => {
    const inToken: Claims = { ...tokens.claims() };
    if (Object.hasOwn(inToken, groupsClaim) || config.serverMetadata().userinfo_endpoint === undefined) return inToken;
    return { ...(await fetchUserInfo(config, tokens.access_token, String(inToken.sub))), ...inToken };
  };

  return {
    async begin() {
      const config = await configuration();
      const transaction = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state: transaction.state,
        nonce: transaction.nonce,
        code_challenge: await calculatePKCECodeChallenge(transaction.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, transaction };
    },
    async finish(query, { state, nonce, verifier }) {
      const config = await configuration();
      const claims = await authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
        .then((tokens) => claimsOf(config, tokens))
        .catch((error: unknown) => refuse(error, messageOf(error, wordOf)));
      const role = roleOf(roles, groupsIn(claims, groupsClaim));
      const groupsFrom = `The claim ${groupsClaim} of your company account`;
      return { subject: `${claims.iss} ${claims.sub}`, name: nameIn(claims), role, groupsFrom };
    },
    knows: (subject) => withoutSlash(subject.split(' ', 1)[0] ?? '') === withoutSlash(issuer),
    async endSessionUrl() {
      const config = await configuration();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return buildEndSessionUrl(config, { post_logout_redirect_uri: `${publicUrl}/owner/` }).href;
    },
  };
}

type Tokens = Awaited<ReturnType<typeof authorizationCodeGrant>>;
type Claims = Readonly<Record<string, unknown>>;

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/** The groups in a claim, which may be a list of texts or one text. Other values are ignored. */
function groupsIn(claims: Claims, name: string): readonly string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return [value].flat().filter((group) => typeof group === 'string');
}

const NAME_CLAIMS = ['name', 'preferred_username', 'email', 'sub'] as const;

/** The first of the claims in `NAME_CLAIMS` that is a text with a visible character. */
function nameIn(claims: Claims): string {
  const names = NAME_CLAIMS.map((name) => claims[name]).filter((value) => typeof value === 'string');
  return names.find((name) => /\S/.test(name)) ?? '';
}

const NO_ANSWER =
  'The sign-in service of your company gave no valid answer. Try again in a minute. If that fails too, tell whoever runs this service. Signing in with a key still works.';

/** The message for the person who signs in, if the last step of the sign-in failed. */
function messageOf(error: unknown, wordOf: WordOf): string {
  if (error instanceof AuthorizationResponseError)
    return `The sign-in service of your company did not sign you in (${wordOf(error.error)}). Try again, or ask whoever runs that service.`;
  if (error instanceof ResponseBodyError)
    return error.error === 'invalid_grant'
      ? 'This sign-in has expired, or it was used already. Sign in again.'
      : `The sign-in service of your company refused this service (${wordOf(error.error)}). Tell whoever runs this service: the client id or the secret may be wrong.`;
  if (error instanceof ClientError && FORGED.test(error.code ?? ''))
    return 'The answer of the sign-in service does not belong to this sign-in, or has expired. Sign in again.';
  return NO_ANSWER;
}

/**
 * Matches the codes of errors about an invalid answer of the provider, for example an answer whose ID token has expired
 * or has another nonce.
 */
const FORGED = /^OAUTH_(?:JWT|INVALID_RESPONSE|JSON_ATTRIBUTE)/;

type WordOf = (code: string) => string;

/** Returns a function that returns an error code of the provider, unless it is no code or repeats the secret of this client. */
const wordWithout =
  (secret: string | undefined): WordOf =>
  (code) =>
    /^[\w.-]{1,60}$/.test(code) && !(secret && code.includes(secret)) ? code : 'unknown error';

/**
 * The reason of a failure, for the log. Contains codes and messages of the library, and no values of the provider's
 * answer.
 */
function reasonOf(error: unknown, wordOf: WordOf): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return `${error.message}: ${wordOf(error.error)}`;
  const { message, code } = Object(error);
  return [message, code].filter((part) => typeof part === 'string').join(' ') || 'unknown failure';
}
