import { fail, type HostPort } from '@parley/core';
import { readText } from '@parley/http-host';
import type { Context, Middleware } from 'koa';
import { refuseCrossSite } from '../access/cross-site.ts';
import type { OwnerAuthentication } from '../access/owner-authentication.ts';
import { answering } from './answering.ts';

/** Maximum length of the body, in characters. A key has at most 204 characters, and anybody can send this request. */
const MAX_SIGN_IN_CHARS = 2_000;

/** What the routes for sign-in and sign-out need. */
export interface SignInOptions {
  readonly parley: Pick<HostPort, 'parseJson' | 'toError'>;
  readonly authentication: OwnerAuthentication;
  readonly publicUrl?: string | undefined;
}

/**
 * The routes for sign-in and sign-out. `POST /owner/api/sign-in {owner_key}` sets the cookie of the console; `POST
 * /owner/api/sign-out` ends the sign-in.
 */
export function createSignInRoutes({ parley, authentication, publicUrl }: SignInOptions): readonly Middleware[] {
  const posting = (path: string, handle: (ctx: Context) => Promise<object>): Middleware =>
    answering({ parley, prefix: path }, async (ctx) => {
      if (ctx.method !== 'POST') refuseMethod(ctx);
      refuseCrossSite(ctx, publicUrl);
      ctx.body = await handle(ctx);
    });
  return [
    posting('/owner/api/sign-in', async (ctx) => {
      const text = await readText(ctx.req, MAX_SIGN_IN_CHARS);
      return await authentication.signIn(ctx, keyIn(parley.parseJson(text)));
    }),
    posting('/owner/api/sign-out', async (ctx) => {
      authentication.signOut(ctx);
      return { signed_out: true };
    }),
  ];
}

const keyIn = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'owner_key' in body ? body.owner_key : undefined;

function refuseMethod(ctx: Context): never {
  ctx.set('Allow', 'POST');
  return fail('METHOD_NOT_ALLOWED', `This route does not accept ${ctx.method}.`);
}
