import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createHeavyCalls, fail, type HostPort, type ParleyError, type People } from '@parley/core';
import { readTarget, readText } from '@parley/http-host';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { type CookieWriter, cookiesIn } from '../access/cookie.ts';
import { decodeDigest } from '../access/key-check.ts';
import { type OwnerAuthentication, type PageSignIn, refuseCrossSite } from '../access/owner-authentication.ts';
import { sha256 } from '../access/owner-key.ts';
import { admissionOf, CALLBACK_PATH, type OidcProvider, type ProxyAccounts, refuse } from '../company/accounts.ts';
import { escaped, htmlPage } from '../html.ts';
import { answering, plainTarget, refuseMethod } from './answering.ts';

/**
 * The sign-in with a company account, by an OpenID provider or by a proxy that sends the person's name in a header.
 * Both kinds of sign-in give the browser the same cookie and page key as a sign-in with a key.
 *
 * With a provider, a sign-in has three steps:
 *
 * 1. START: the console posts to `/owner/api/sign-in/company`. The answer contains the address at the provider and a
 *    page secret, which the console stores for its origin. An encrypted cookie contains state, nonce, PKCE verifier and the
 *    SHA-256 of the page secret.
 * 2. CALLBACK: the provider sends the browser back with a code. If the encrypted cookie contains the same state as the
 *    address, the service exchanges the code for the claims of the person, and finds or stores the person. The browser
 *    gets a ticket: an encrypted cookie with the person and the SHA-256 of the page secret.
 * 3. FINISH: the console posts the page secret to `/owner/api/sign-in/finish`, together with the ticket, and gets the
 *    page key. A ticket is taken once at a process. The id of the sign-in follows from the page secret, so a copy of
 *    the ticket gives the same sign-in at another process, and a sign-out ends both.
 *
 * The page secret protects these steps as the page key protects later requests. A browser sends cookies to every port
 * of its host, and a server on another port can set cookies for the host, but only pages of this origin can read the
 * page secret. Therefore another server on this host cannot use a ticket that it received, and an attacker cannot make
 * the browser of another person sign in with the attacker's account.
 *
 * A sign-in without the cookie of the browser that began the sign-in is refused, and so is a code whose ID token has
 * another nonce. A person is stored only after the provider has confirmed the person.
 */

const TRANSACTION = {
  name: 'parley_transaction',
  path: CALLBACK_PATH,
  sameSite: 'lax',
  lifetimeMs: 10 * 60_000,
} as const;
const TICKET = {
  name: 'parley_ticket',
  path: '/owner/api/sign-in/finish',
  sameSite: 'strict',
  lifetimeMs: 2 * 60_000,
} as const;
/**
 * Each callback with an encrypted cookie costs a request to the provider, also one with a forged code. Clients take turns by
 * address, so that forged callbacks neither flood the provider nor keep other sign-ins from their turn.
 */
const EXCHANGES = { atOnce: 4, ofHolder: 64, what: 'the sign-ins from your address' };

const Transaction = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), page: z.string() });
const Ticket = z.object({ personId: z.string(), page: z.string() });

interface CompanySignInOptions {
  readonly people: Pick<People, 'admit' | 'dismiss' | 'withId'>;
  readonly oidc: OidcProvider | undefined;
  readonly proxy: ProxyAccounts | undefined;
  readonly cipher: CookieCipher;
  readonly writeCookie: CookieWriter;
  /** Begins the sign-in of a person in the browser that sent the request. */
  readonly signInPerson: OwnerAuthentication['signInPerson'];
  readonly toError: (thrown: unknown) => ParleyError;
  readonly addressOf: (ctx: Context) => string;
  readonly now: () => number;
}

interface CompanySignIn {
  /**
   * START. If a proxy identifies the person, this step completes the sign-in.
   *
   * @throws ParleyError UNAUTHORIZED with the reason
   */
  start(ctx: Context): Promise<PageSignIn | { readonly authorization_url: string; readonly page_secret: string }>;
  /** CALLBACK. Answers with a redirect to the console, or with a page that contains the reason if the sign-in fails. */
  callBack(ctx: Context): Promise<void>;
  /**
   * FINISH. Exchanges the ticket and the page secret for a page key. A person who was revoked since the callback gets none.
   *
   * @throws ParleyError UNAUTHORIZED
   */
  finish(ctx: Context, pageSecret: unknown): Promise<PageSignIn>;
  /**
   * The address at which the person signs out of the provider. Undefined if the person did not sign in at the provider,
   * or if the provider has no such address.
   */
  endSessionUrl(personId: string): Promise<string | undefined>;
}

export function createCompanySignIn(options: CompanySignInOptions): CompanySignIn {
  const { people, oidc, proxy, cipher, writeCookie, signInPerson, toError, addressOf, now } = options;
  const exchanges = createHeavyCalls(EXCHANGES);
  const write = async (ctx: Context, { lifetimeMs, ...cookie }: typeof TRANSACTION | typeof TICKET, value: object) =>
    writeCookie(ctx, {
      ...cookie,
      value: await cipher.encrypt(cookie.name, value, lifetimeMs),
      expires: new Date(now() + lifetimeMs),
    });
  const remove = (ctx: Context, { name, path, sameSite }: typeof TRANSACTION | typeof TICKET): void =>
    writeCookie(ctx, { name, path, sameSite, value: '', expires: new Date(0) });
  /**
   * The decrypted values of all cookies whose name is `name`. Cookies that cannot be decrypted are ignored, because
   * other servers on this host can set cookies.
   */
  const opened = async <T>(ctx: Context, name: string, schema: z.ZodType<T>): Promise<readonly T[]> => {
    const values = await Promise.all(cookiesIn(ctx.get('Cookie'), name).map((text) => cipher.decrypt(name, text)));
    return values.flatMap((value) => schema.safeParse(value).data ?? []);
  };

  const finishAtProvider = async (ctx: Context, query: string): Promise<void> => {
    const { searchParams } = new URL(`http://localhost/?${query}`);
    const state = searchParams.getAll('state');
    const transaction = (await opened(ctx, TRANSACTION.name, Transaction)).find(
      (one) => state.length === 1 && one.state === state[0],
    );
    if (!oidc || !transaction) return refuse(NOT_BEGUN);
    const identified = await exchanges.run(addressOf(ctx), () => oidc.finish(query, transaction));
    const { id } = await people.admit(await admissionOf(people, identified));
    await write(ctx, TICKET, { personId: id, page: transaction.page });
    ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    ctx.status = 303;
    ctx.redirect('/owner/');
    ctx.body = '';
  };

  return {
    async start(ctx) {
      if (proxy && (proxy.isNamed(ctx) || !oidc))
        return signInPerson(ctx, (await people.admit(await admissionOf(people, proxy.accountOf(ctx)))).id);
      if (!oidc) return fail('NOT_FOUND', 'This service has no sign-in with company accounts. Sign in with a key.');
      const { url, transaction } = await oidc.begin();
      const pageSecret = randomBytes(32).toString('base64url');
      await write(ctx, TRANSACTION, { ...transaction, page: sha256(pageSecret).toString('base64url') });
      return { authorization_url: url, page_secret: pageSecret };
    },
    async callBack(ctx) {
      remove(ctx, TRANSACTION);
      try {
        await finishAtProvider(ctx, readTarget(ctx.req.url).query);
      } catch (thrown) {
        const { status, message } = toError(thrown);
        sendRefusal(ctx, status === 401 ? 403 : status, message);
      }
    },
    async finish(ctx, pageSecret) {
      const page = sha256(typeof pageSecret === 'string' ? pageSecret : '');
      const tickets = await opened(ctx, TICKET.name, Ticket);
      const ticket = tickets.find((one) => timingSafeEqual(decodeDigest(one.page), page));
      remove(ctx, TICKET);
      return ticket && (await people.withId(ticket.personId))
        ? signInPerson(ctx, ticket.personId, signInIdOf(page))
        : refuse('There is no sign-in to finish. Begin again at /owner/.');
    },
    async endSessionUrl(personId) {
      const person = await people.withId(personId);
      return person?.subject !== undefined && oidc?.knows(person.subject) ? await oidc.endSessionUrl() : undefined;
    },
  };
}

const NOT_BEGUN =
  'This browser did not begin this sign-in, or the sign-in is already finished, or it began more than 10 minutes ago. Sign in again.';

/** The id of the sign-in that the ticket with this hash of a page secret begins. */
const signInIdOf = (page: Buffer): string => page.subarray(0, 16).toString('base64url');

/**
 * Maximum length of the body, in characters. The maximum is low, because anybody can send this request without
 * authentication; a key has at most 204 characters.
 */
const MAX_SIGN_IN_CHARS = 2_000;

interface SignInOptions {
  readonly parley: Pick<HostPort, 'parseJson' | 'toError'>;
  readonly authentication: OwnerAuthentication;
  /** The sign-in with company accounts. If undefined, people can sign in only with keys. */
  readonly company: CompanySignIn | undefined;
  readonly publicUrl?: string | undefined;
}

/**
 * The routes for sign-in and sign-out. `POST /owner/api/sign-in {owner_key}` sets the cookie of the console, and `POST
 * /owner/api/sign-out` ends the sign-in. `GET /owner/api/sign-in` returns whether people can sign in with company
 * accounts. `createCompanySignIn` contains the steps of such a sign-in.
 */
export function createSignInRoutes({
  parley,
  authentication,
  company,
  publicUrl,
}: SignInOptions): readonly Middleware[] {
  const answer = (path: string, methods: Readonly<Record<string, (ctx: Context) => Promise<object>>>): Middleware =>
    answering({ parley, prefix: path }, async (ctx) => {
      const handle = Object.hasOwn(methods, ctx.method) ? methods[ctx.method] : undefined;
      if (ctx.path !== path) fail('NOT_FOUND', 'The owner API has no such route.');
      if (!handle) return refuseMethod(ctx, Object.keys(methods));
      refuseCrossSite(ctx, publicUrl);
      ctx.body = await handle(ctx);
    });
  const bodyOf = async (ctx: Context): Promise<object> =>
    Object(parley.parseJson(await readText(ctx.req, MAX_SIGN_IN_CHARS)));
  const ofCompany = (): CompanySignIn =>
    company ?? fail('NOT_FOUND', 'This service has no sign-in with company accounts. Sign in with a key.');
  return [
    async (ctx, next) => (company && isCallback(ctx) ? await company.callBack(ctx) : await next()),
    answer('/owner/api/sign-in/company', { POST: (ctx) => ofCompany().start(ctx) }),
    answer('/owner/api/sign-in/finish', {
      POST: async (ctx) => ofCompany().finish(ctx, memberOf(await bodyOf(ctx), 'page_secret')),
    }),
    answer('/owner/api/sign-in', {
      GET: async () => ({ company: company !== undefined }),
      POST: async (ctx) => await authentication.signIn(ctx, memberOf(await bodyOf(ctx), 'owner_key')),
    }),
    answer('/owner/api/sign-out', {
      async POST(ctx) {
        const personId = authentication.signOut(ctx);
        // The sign-out succeeds even if the storage or the provider does not answer.
        const url = personId === undefined ? undefined : await company?.endSessionUrl(personId).catch(() => undefined);
        return { signed_out: true, ...(url === undefined ? {} : { end_session_url: url }) };
      },
    }),
  ];
}

const isCallback = (ctx: Context): boolean => plainTarget(ctx).path === CALLBACK_PATH && ctx.method === 'GET';

const memberOf = (body: object, name: string): unknown => (Object.hasOwn(body, name) ? Object(body)[name] : undefined);

type CookieCipher = ReturnType<typeof createCookieCipher>;

/**
 * Encrypts small values for cookies, as JWTs. A browser can neither read nor change such a value. Every process with the same
 * secret can decrypt it.
 *
 * @param secret the secret that signs the cookies; the key of the encryption is derived from it
 * @param now returns the current time in milliseconds since 1970
 */
export function createCookieCipher(secret: Uint8Array, now: () => number) {
  const key = createHmac('sha256', secret).update('parley sealed cookie').digest();
  return {
    /** Encrypts a value. `decrypt` returns it only for the same purpose, and until the lifetime has passed. */
    encrypt: (purpose: string, value: object, lifetimeMs: number): Promise<string> =>
      new EncryptJWT({ value })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(purpose)
        .setExpirationTime(new Date(now() + lifetimeMs))
        .encrypt(key),
    /** Returns the value. Undefined if the text was not encrypted with this secret for this purpose, or its lifetime has passed. */
    decrypt: (purpose: string, text: string): Promise<unknown> =>
      jwtDecrypt(text, key, {
        audience: purpose,
        currentDate: new Date(now()),
        requiredClaims: ['exp'],
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      }).then(
        ({ payload }) => payload.value,
        () => undefined,
      ),
  };
}

const STYLE = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto 0;padding:0 1.25rem;overflow-wrap:anywhere}h1{font-size:1.5rem}a{display:inline-block;margin-top:.5rem}`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Sends an HTML page with the reason why a person is not signed in, to a browser that comes back from the provider. */
function sendRefusal(ctx: Context, status: number, message: string): void {
  ctx.set(HEADERS);
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = htmlPage(
    `<title>Not signed in - Parley</title>
<style>${STYLE}</style>`,
    `<main>
<h1>You are not signed in</h1>
<p role="alert">${escaped(message)}</p>
<p>Nothing was stored. <a href="/owner/">Back to the sign-in page</a></p>
</main>`,
  );
}
