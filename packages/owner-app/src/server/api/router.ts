import Router, { type RouterContext } from '@koa/router';
import { fail, type HostPort, type OwnerListing, type OwnerPort } from '@parley/core';
import { type Outbox, readTarget, readText } from '@parley/http-host';
import type { Context, Middleware } from 'koa';
import { kebabCase } from '../../text/kebab.ts';
import { refuseCrossSite } from '../access/cross-site.ts';
import type { Authenticate } from '../access/owner-authentication.ts';
import { answering } from './answering.ts';
import { streamEvents } from './event-stream.ts';
import { sendLog } from './log-export.ts';

/** What the owner's routes need of Parley. */
export interface OwnerSource extends Pick<HostPort, 'parseJson' | 'toError'> {
  owner(ownerId: string): OwnerPort;
  readonly ownerOperations: readonly OwnerListing[];
}

/** What the owner routes are made of. */
export interface OwnerRouterOptions {
  readonly parley: OwnerSource;
  /** Your own login: which owner sends this request. */
  readonly authenticate: Authenticate;
  /** Where the routes begin (default `/owner/api`). */
  readonly prefix?: string;
  /** The address that browsers use, where a proxy rewrites Host. */
  readonly publicUrl?: string | undefined;
  /** What sends the answers, and cuts off who does not read them. Default: the one of this process. */
  readonly outbox?: Outbox | undefined;
}

interface OwnerState {
  owner: OwnerPort;
  ended: () => AbortSignal;
}
type OwnerContext = RouterContext<OwnerState>;

/**
 * The owner HTTP API as one Koa middleware: a route for every owner operation, and create, list, view, delete,
 * log, events and the moderator entitlement beside them. Everything below the prefix is answered here, in the error shape of the agents' side.
 *
 * @example app.use(createOwnerRouter({ parley, authenticate: (ctx) => ctx.state.user.id }));
 */
export function createOwnerRouter({
  parley,
  authenticate,
  prefix = '/owner/api',
  publicUrl,
  outbox,
}: OwnerRouterOptions): Middleware {
  const router = new Router<OwnerState>({ prefix, sensitive: true, strict: true });
  addSessionRoutes(router, parley);
  for (const listing of parley.ownerOperations) addOperation(router, parley, listing);
  const routes = router.routes();
  return answering({ parley, prefix, outbox }, async (ctx) => {
    refuseCrossSite(ctx, publicUrl);
    const sender = await authenticate(ctx);
    const { ownerId, ended = never } = typeof sender === 'string' ? { ownerId: sender } : sender;
    Object.assign(ctx.state, { owner: parley.owner(ownerId), ended });
    await routes(ctx as Parameters<typeof routes>[0], async () => refuseRoute(router, ctx));
  });
}

/** Of a sender that says no end. */
const never = (): AbortSignal => new AbortController().signal;

function addSessionRoutes(router: Router<OwnerState>, parley: OwnerSource): void {
  router.get('/sessions', async (ctx) => {
    ctx.body = await ctx.state.owner.listSessions(pageOf(ctx));
  });
  router.post('/sessions', async (ctx) => {
    ctx.body = await ctx.state.owner.createSession(await bodyOf(ctx, parley));
  });
  router.get('/overview', async (ctx) => {
    ctx.body = await ctx.state.owner.overview(pageOf(ctx));
  });
  router.post('/moderator-entitlement', async (ctx) => {
    ctx.body = await ctx.state.owner.setModeratorEntitlement(await bodyOf(ctx, parley));
  });
  router.get('/sessions/:session_id', async (ctx) => {
    ctx.body = await ctx.state.owner.call('view', sessionOf(ctx), queryOf(ctx));
  });
  router.delete('/sessions/:session_id', async (ctx) => {
    ctx.body = await ctx.state.owner.deleteSession(sessionOf(ctx));
  });
  router.get('/sessions/:session_id/log', (ctx) => sendLog(ctx, lastingOf(ctx)));
  router.get('/sessions/:session_id/verify-log', async (ctx) => {
    ctx.body = await ctx.state.owner.verifyLog(sessionOf(ctx));
  });
  router.get('/sessions/:session_id/events', async (ctx) => {
    await ctx.state.owner.call('view', sessionOf(ctx));
    streamEvents(ctx, { ...lastingOf(ctx), after: resumePoint(ctx) });
  });
}

function addOperation(router: Router<OwnerState>, parley: OwnerSource, { name, effect }: OwnerListing): void {
  const path = `/sessions/:session_id/${kebabCase(name)}`;
  const read = async (ctx: OwnerContext) => {
    ctx.body = await ctx.state.owner.call(name, sessionOf(ctx), queryOf(ctx));
  };
  const write = async (ctx: OwnerContext) => {
    ctx.body = await ctx.state.owner.call(name, sessionOf(ctx), await bodyOf(ctx, parley));
  };
  if (effect === 'read') router.get(path, read);
  else router.post(path, write);
}

function refuseRoute(router: Router<OwnerState>, ctx: Context): never {
  const methods = router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods);
  if (methods.length === 0) return fail('NOT_FOUND', 'There is no such route on the owner side.');
  ctx.set('Allow', [...new Set(methods)].join(', '));
  return fail('METHOD_NOT_ALLOWED', `${ctx.method} is not served here.`);
}

/** What an answer needs that lasts. */
const lastingOf = (ctx: OwnerContext) => ({
  owner: ctx.state.owner,
  sessionId: sessionOf(ctx),
  ended: ctx.state.ended(),
});

const sessionOf = (ctx: OwnerContext): string => ctx.params.session_id ?? '';

const searchOf = (ctx: OwnerContext): URLSearchParams => new URLSearchParams(readTarget(ctx.req.url).query);

const queryOf = (ctx: OwnerContext): Record<string, string> => Object.fromEntries(searchOf(ctx));

/** `limit` is a number; a query knows only text. */
function pageOf(ctx: OwnerContext): Record<string, unknown> {
  const { limit, ...page } = queryOf(ctx);
  return limit === undefined ? page : { ...page, limit: /^\d{1,9}$/.test(limit) ? Number(limit) : limit };
}

/** An empty body, or white space alone, is an empty object, as on the agents' side. */
async function bodyOf(ctx: OwnerContext, parley: OwnerSource): Promise<unknown> {
  const text = await readText(ctx.req);
  return /^[ \t\r\n]*$/.test(text) ? {} : parley.parseJson(text);
}

/** Last-Event-ID is what a browser sends when it reconnects; it goes before the address. */
function resumePoint(ctx: OwnerContext): number {
  const text = ctx.get('Last-Event-ID') || searchOf(ctx).get('after') || '0';
  if (!/^\d{1,12}$/.test(text))
    fail('INVALID_INPUT', 'after: a seq is a whole number.', {
      issues: [{ path: 'after', message: 'A seq is a whole number.' }],
    });
  return Number(text);
}
