import { fail, type HostPort } from '@parley/core';
import { readText } from '@parley/http-host';
import type { Context, Middleware } from 'koa';
import { refuseCrossSite } from '../access/cross-site.ts';
import type { OwnerAuthentication } from '../access/owner-authentication.ts';
import { CALLBACK_PATH } from '../company/oidc-provider.ts';
import { answering } from './answering.ts';
import type { CompanySignIn } from './company-sign-in.ts';
import { plainTarget } from './plain-target.ts';

/**
 * Maximum length of the body, in characters. The maximum is low, because anybody can send this request without
 * authentication; a key has at most 204 characters.
 */
const MAX_SIGN_IN_CHARS = 2_000;

export interface SignInOptions {
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
      if (!handle || ctx.path !== path) return refuseMethod(ctx, path, Object.keys(methods));
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

function refuseMethod(ctx: Context, path: string, methods: readonly string[]): never {
  if (ctx.path !== path) fail('NOT_FOUND', 'The owner API has no such route.');
  ctx.set('Allow', methods.join(', '));
  return fail('METHOD_NOT_ALLOWED', `This route does not accept ${ctx.method}.`);
}
