import {
  type Acting,
  FIRST_ACCOUNT,
  FIRST_PERSON,
  fail,
  type People,
  type Person,
  type SignedInPerson,
} from '@parley/core';
import { isFromForeignPage } from '@parley/http-host';
import type { Context } from 'koa';
import { admissionOf, type OidcProvider, type ProxyAccounts, refuse } from '../company/accounts.ts';
import { createCookieSession } from './cookie.ts';
import { bearerOf, createKeyCheck, FIRST_HOLDER, type OwnerKey } from './key-check.ts';

/** The authenticated sender of a request. */
export interface SignedIn {
  readonly ownerId: string;
  /**
   * The person who acts for the owner. Events contain the person's name, and the person's role limits the allowed
   * calls. If left out, every call is allowed and events contain no person.
   */
  readonly person?: Person;
  /**
   * Returns the person as the sign-in has the person now. Asked before each decision of a write, because the body of a
   * request can end long after its head. Undefined, or a rejection with UNAUTHORIZED, refuses the call. If left out, the
   * call is judged by `person` alone.
   */
  readonly present?: Acting['present'];
  /** Tells who is an approver at present, as `approvers` of `Acting`. */
  readonly approvers?: Acting['approvers'];
  /** Returns a signal that aborts when the sign-in ends. Long answers, such as a stream of events, then end too. */
  readonly ended?: () => AbortSignal;
}

/**
 * Identifies the sender of a request. Returns the owner's id, or an object that contains this id. Rejects with
 * ParleyError UNAUTHORIZED if the request is not authenticated.
 */
export type Authenticate = (ctx: Context) => string | SignedIn | Promise<string | SignedIn>;

/** A new sign-in in a browser, as the page that begins it gets it. The cookie goes to the browser. */
export interface PageSignIn {
  readonly expires_at: string;
  readonly page_key: string;
}

/** Authentication for a service with an owner key. People may have keys of their own. */
export interface OwnerAuthentication {
  /** Accepts the owner key or a person's key as Bearer token, or the cookie and the page key of a sign-in. */
  readonly authenticate: Authenticate;
  /**
   * Signs in: checks the key, sets a cookie and returns a page key. Later requests must contain the page key in the
   * header Parley-Page-Key.
   *
   * @throws ParleyError UNAUTHORIZED, RATE_LIMITED
   */
  signIn(ctx: Context, key: unknown): Promise<PageSignIn>;
  /**
   * Begins the sign-in of a person whom the caller has identified. Returns the same as `signIn`.
   *
   * @param signInId the id of the sign-in: 22 characters of base64url. Default: a random one
   * @throws ParleyError UNAUTHORIZED if a sign-in with this id has begun or ended at this process
   */
  signInPerson(ctx: Context, personId: string, signInId?: string): PageSignIn;
  /**
   * Ends the sign-in of a request. Returns the id of the person, or undefined if the holder of the owner key or nobody
   * was signed in.
   */
  signOut(ctx: Context): string | undefined;
}

/** The parameters of `createOwnerAuthentication`. */
export interface OwnerAuthenticationOptions {
  readonly ownerKey: OwnerKey;
  /** The people who have keys of their own. If left out, only the owner key is accepted. */
  readonly people?: Pick<People, 'withKey' | 'withId' | 'watch' | 'admit' | 'dismiss' | 'approvers'> | undefined;
  /** Identifies people by a header that a proxy sends. If left out, this header is ignored. */
  readonly proxy?: ProxyAccounts | undefined;
  /** The OpenID provider that signs people in. If left out, sign-ins that began at a provider are refused. */
  readonly provider?: Pick<OidcProvider, 'knows'> | undefined;
  /** Id of the owner to whom the owner key belongs. The people of the first account act for this owner. */
  readonly ownerId: string;
  /**
   * Returns the address of the client that sends a request. If a trusted proxy forwarded the request, returns the
   * address of the proxy's client.
   */
  readonly addressOf: (ctx: Context) => string;
  readonly publicUrl?: string | undefined;
  /** Returns the current time, in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Creates an authentication by the owner key or a person's key as Bearer token, or by a sign-in in a browser. Limits
 * the number of wrong keys.
 *
 * The header of a proxy only begins a sign-in. Later requests need the cookie and the page key too, so that a page of
 * another site cannot send valid requests through the proxy. These requests must also have the header with the same
 * person; the groups in the header determine the person's role for the request.
 *
 * Pass the member `authenticate` to `createOwnerRouter`.
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

  /**
   * Returns the person, and the owner for whom the person acts: the account, except for the first account.
   */
  const actingOf = ({ accountId, ...person }: SignedInPerson) => ({
    ownerId: accountId === FIRST_ACCOUNT.id ? ownerId : accountId,
    person,
    approvers: people && (() => people.approvers()),
  });

  /**
   * Returns a list with the signal that aborts when the person's key is revoked or the person's account is closed. The
   * list is empty for the holder of the owner key.
   */
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
      return refuse(
        'The service no longer accepts sign-ins of the company account that you used. Sign in again, or ask whoever runs this service.',
      );
    const account = proxy.accountOf(ctx);
    if (account.subject !== subject)
      refuse('The proxy now names a person other than the one who signed in. Sign in again.');
    return await people.admit(await admissionOf(people, account));
  };

  /**
   * The person of an accepted request with the role of now. Undefined if the person was revoked meanwhile. Does not look
   * at the header of a proxy again, because a later request can have brought newer groups.
   */
  const presentOf = async (accepted: SignedInPerson): Promise<Person | undefined> =>
    accepted.id === FIRST_PERSON.id ? accepted : await people?.withId(accepted.id);

  const findSignIn = async (ctx: Context) => {
    const found = session.find(ctx);
    return 'fault' in found ? refuse(await faultOf(ctx, { people, proxy }, found.fault)) : found;
  };

  const signInPerson = (ctx: Context, personId: string | undefined, signInId?: string) => {
    const { expiresAt, pageKey } =
      session.open(ctx, personId, signInId) ?? refuse('This sign-in was finished already. Begin again at /owner/.');
    return { expires_at: expiresAt.toISOString(), page_key: pageKey };
  };

  return {
    async authenticate(ctx) {
      const headers = ctx.req.headersDistinct.authorization;
      if (headers) {
        const person = await holderOf(addressOf(ctx), bearerOf(headers));
        return { ...actingOf(person), present: () => presentOf(person), ended: () => anyOf(revokedOf(ctx, person)) };
      }
      const { personId, ended } = await findSignIn(ctx);
      const person = await signedInPerson(ctx, personId);
      const present = () => findSignIn(ctx).then(() => presentOf(person));
      return { ...actingOf(person), present, ended: () => anyOf([ended(), ...revokedOf(ctx, person)]) };
    },
    async signIn(ctx, key) {
      const { id } = await holderOf(addressOf(ctx), typeof key === 'string' ? key : '');
      return signInPerson(ctx, id === FIRST_PERSON.id ? undefined : id);
    },
    signInPerson,
    signOut: session.close,
  };
}

/**
 * Returns the message that refuses a request without a sign-in. If a proxy named a person who cannot be accepted,
 * throws the reason.
 */
async function faultOf(
  ctx: Context,
  { people, proxy }: Pick<OwnerAuthenticationOptions, 'people' | 'proxy'>,
  fault: string,
): Promise<string> {
  if (!people || !proxy?.isNamed(ctx)) return fault;
  await admissionOf(people, proxy.accountOf(ctx));
  return `${fault} The header of the proxy does not replace a sign-in. First call POST /owner/api/sign-in/company, which answers with a page_key.`;
}

const anyOf = (signals: readonly AbortSignal[]): AbortSignal =>
  signals.length === 1 && signals[0] ? signals[0] : AbortSignal.any([...signals]);

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a write if a page of another site sent it, according to the browser. Reads are not checked.
 *
 * @param publicUrl address of the server, if a proxy rewrites the Host header
 * @throws ParleyError CROSS_SITE_REFUSED
 */
export function refuseCrossSite(ctx: Context, publicUrl?: string): void {
  if (!SAFE_METHODS.has(ctx.method) && isCrossSite(ctx, publicUrl))
    fail('CROSS_SITE_REFUSED', 'According to the browser, a page of another site sent this request.');
}

function isCrossSite(ctx: Context, publicUrl: string | undefined): boolean {
  const said = isFromForeignPage(ctx.req);
  if (said !== undefined) return said;
  const origin = ctx.get('Origin');
  return origin !== '' && !ownHosts(ctx, publicUrl).includes(hostOf(origin));
}

const ownHosts = (ctx: Context, publicUrl: string | undefined): readonly string[] =>
  [ctx.get('Host').toLowerCase(), publicUrl ? hostOf(publicUrl) : ''].filter((host) => host !== '');

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : '');
