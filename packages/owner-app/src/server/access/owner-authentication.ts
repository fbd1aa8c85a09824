import { FIRST_ACCOUNT, FIRST_PERSON, fail, type People, type Person, type SignedInPerson } from '@parley/core';
import type { Context } from 'koa';
import type { OidcProvider } from '../company/oidc-provider.ts';
import type { ProxyAccounts } from '../company/proxy-accounts.ts';
import { createCookieSession } from './cookie-session.ts';
import type { OwnerKey } from './key-folder.ts';
import { MADE_KEY_FORM, OWNER_KEY_FORM } from './owner-key.ts';
import { createWrongKeyLimit } from './wrong-key-limit.ts';

const WRONG_KEYS_PER_MINUTE = 10;

/** The authenticated sender of a request. */
export interface SignedIn {
  readonly ownerId: string;
  /**
   * Who acts for the owner. Events name the person, and the role limits which calls are allowed. Left out: every call is
   * allowed, and events name nobody.
   */
  readonly person?: Person;
  /** Returns a signal that aborts when the sign-in ends. Long answers, such as a stream of events, then end too. */
  readonly ended?: () => AbortSignal;
}

/**
 * Finds out which owner sends a request. Returns the owner's id, or an object that contains it. Rejects with `ParleyError`
 * UNAUTHORIZED.
 */
export type Authenticate = (ctx: Context) => string | SignedIn | Promise<string | SignedIn>;

/** Authentication for a service with a single owner, who has a first key and may have keys of people. */
export interface OwnerAuthentication {
  /** Accepts a request with the first key or a person's key as Bearer token, or with the cookie and the page key of a sign-in. */
  readonly authenticate: Authenticate;
  /**
   * Signs in: checks the key, sets a cookie and returns a page key. Later requests must send the page key in the header
   * Parley-Page-Key.
   *
   * @throws ParleyError UNAUTHORIZED, RATE_LIMITED
   */
  signIn(ctx: Context, key: unknown): Promise<{ readonly expires_at: string; readonly page_key: string }>;
  /** Begins the sign-in of a person whom somebody else has identified. Returns the same as `signIn`. */
  signInPerson(ctx: Context, personId: string): { readonly expires_at: string; readonly page_key: string };
  /** Ends the sign-in. Returns the id of the person who was signed in; undefined for the first key. */
  signOut(ctx: Context): string | undefined;
}

/** What the authentication of a single owner needs. */
export interface OwnerAuthenticationOptions {
  readonly ownerKey: OwnerKey;
  /** The people who have keys besides the first one. Left out: the first key is the only one. */
  readonly people?: Pick<People, 'hasSeen' | 'withKey' | 'withId' | 'watch' | 'admit'> | undefined;
  /** The people whom a proxy names. Left out: no header signs anybody in. */
  readonly proxy?: ProxyAccounts | undefined;
  /** The provider that signs people in. Left out: sign-ins of its people are refused. */
  readonly provider?: Pick<OidcProvider, 'knows'> | undefined;
  /** Id of the owner to whom the first key belongs, and for whom the people of the first account act. */
  readonly ownerId: string;
  /**
   * Returns the address of the client that sends a request. Behind trusted proxies, the address of the client of the proxy.
   */
  readonly addressOf: (ctx: Context) => string;
  readonly publicUrl?: string | undefined;
  /** Returns the current time, in milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Creates the authentication of a single owner: by the first key or a person's key as Bearer token, or by a sign-in in a
 * browser. Limits the number of wrong keys.
 *
 * A header of a proxy by itself authenticates no request: it only signs in, and then the cookie and the page key are needed as well.
 * So a page of another site that makes a browser send a request through the proxy reaches nothing. The header is needed with each
 * request of such a sign-in, and must name the same person; the person then has the role of the present groups.
 *
 * Pass its member `authenticate` to `createOwnerRouter`.
 */
export function createOwnerAuthentication({
  ownerKey,
  people,
  proxy,
  provider,
  ownerId,
  addressOf,
  publicUrl,
  now,
}: OwnerAuthenticationOptions): OwnerAuthentication {
  const holderOf = createKeyCheck({ ownerKey, people, now });
  const session = createCookieSession({ secret: ownerKey.cookieSecret, publicUrl, now });

  /** Who acts, and for which owner: the id of an account is the id of the owner of its sessions. */
  const actingOf = ({ accountId, ...person }: SignedInPerson) => ({
    ownerId: accountId === FIRST_ACCOUNT.id ? ownerId : accountId,
    person,
  });

  /** A signal that aborts when a person's key is revoked or the account is closed; for the holder of the first key, none. */
  const revokedOf = (ctx: Context, { id }: Person): readonly AbortSignal[] => {
    if (!people || id === FIRST_PERSON.id) return [];
    const { ended, release } = people.watch(id);
    ctx.res.once('close', release);
    return [ended];
  };

  const signedInPerson = async (ctx: Context, personId: string | undefined): Promise<SignedInPerson> => {
    if (personId === undefined) return FIRST_HOLDER;
    const person = await people?.withId(personId);
    if (!people || !person) return refuse('The person who signed in was revoked.');
    const { subject } = person;
    if (subject === undefined || provider?.knows(subject)) return person;
    if (!proxy?.knows(subject))
      return refuse('The service no longer accepts this kind of sign-in. Sign in another way.');
    const account = proxy.accountOf(ctx);
    if (account.subject !== subject) refuse('The proxy names another person than the sign-in. Sign in again.');
    return await people.admit(account);
  };

  /** Why a request without a sign-in is refused. If a proxy has named a person in vain, the reason of that. */
  const faultOf = (ctx: Context, fault: string): string => {
    if (!proxy?.isNamed(ctx)) return fault;
    proxy.accountOf(ctx);
    return `${fault} The header of the proxy is not enough: POST /owner/api/sign-in/company answers with a page_key.`;
  };

  const signInPerson = (ctx: Context, personId: string | undefined) => {
    const { expiresAt, pageKey } = session.open(ctx, personId);
    return { expires_at: expiresAt.toISOString(), page_key: pageKey };
  };

  return {
    async authenticate(ctx) {
      const headers = ctx.req.headersDistinct.authorization;
      if (headers) {
        const person = await holderOf(addressOf(ctx), bearerOf(headers));
        return { ...actingOf(person), ended: () => anyOf(revokedOf(ctx, person)) };
      }
      const found = session.find(ctx);
      if ('fault' in found) return refuse(faultOf(ctx, found.fault));
      const person = await signedInPerson(ctx, found.personId);
      return { ...actingOf(person), ended: () => anyOf([found.ended(), ...revokedOf(ctx, person)]) };
    },
    async signIn(ctx, key) {
      const { id } = await holderOf(addressOf(ctx), typeof key === 'string' ? key : '');
      return signInPerson(ctx, id === FIRST_PERSON.id ? undefined : id);
    },
    signInPerson,
    signOut: session.close,
  };
}

const FIRST_HOLDER: SignedInPerson = { ...FIRST_PERSON, accountId: FIRST_ACCOUNT.id };

/** A signal that aborts when the first of these aborts. */
const anyOf = (signals: readonly AbortSignal[]): AbortSignal =>
  signals.length === 1 && signals[0] ? signals[0] : AbortSignal.any([...signals]);

/**
 * Returns a function that finds who holds a key, and refuses any other text. Limits the texts of an address that are neither a
 * generated first key nor the key of a person whom this process knows. Such keys cannot be guessed, so they are accepted even from
 * an address that sent many wrong texts. The storage is read for a text only within the limit.
 */
function createKeyCheck({
  ownerKey: { check },
  people,
  now,
}: Pick<OwnerAuthenticationOptions, 'ownerKey' | 'people' | 'now'>): (
  address: string,
  text: string,
) => Promise<SignedInPerson> {
  const wrongKeys = createWrongKeyLimit(WRONG_KEYS_PER_MINUTE, now);
  const personWith = async (text: string): Promise<SignedInPerson | undefined> =>
    MADE_KEY_FORM.test(text) ? await people?.withKey(text) : undefined;
  const isFirst = async (text: string): Promise<boolean> => check.known(text) ?? (await check.verify(text));
  return async (address, text) => {
    if (!OWNER_KEY_FORM.test(text)) refuseKey();
    if (check.isGenerated && check.known(text)) return FIRST_HOLDER;
    const seen = people?.hasSeen(text) ? await personWith(text) : undefined;
    if (seen) return seen;
    wrongKeys.begin(address);
    const person = (await isFirst(text)) ? FIRST_HOLDER : await personWith(text);
    if (!person) return refuseKey();
    wrongKeys.forgive(address);
    return person;
  };
}

const refuseKey = (): never => refuse('The owner key is wrong.');

function bearerOf(headers: readonly string[]): string {
  const [, text] = headers.length === 1 ? (/^Bearer (\S+)$/.exec(headers[0] ?? '') ?? []) : [];
  return text ?? refuse('The Authorization header must have the form "Bearer pok_...".');
}

const refuse = (message: string): never => fail('UNAUTHORIZED', message);
