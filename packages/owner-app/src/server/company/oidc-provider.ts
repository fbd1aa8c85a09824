import { fail } from '@parley/core';
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
import type { Identified } from './proxy-accounts.ts';
import { type RoleMapping, roleOf } from './role-mapping.ts';

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
