import Router, { type RouterContext } from '@koa/router';
import { fail, type HostPort, type OwnerListing, type OwnerPort } from '@parley/core';
import { type Outbox, readTarget, readText } from '@parley/http-host';
import type { Context, Middleware } from 'koa';
import { refuseCrossSite } from '../access/cross-site.ts';
import type { Authenticate } from '../access/owner-authentication.ts';
import { answering } from './answering.ts';
import { streamEvents } from './event-stream.ts';
import { sendLog } from './log-export.ts';
import { type JsonRoute, OWNER_ROUTES, type OwnerRoute, operationRoute } from './owner-routes.ts';

/** The parts of Parley that the owner's routes use. */
export interface OwnerSource extends Pick<HostPort, 'parseJson' | 'toError'> {
  owner(ownerId: string): OwnerPort;
  readonly ownerOperations: readonly OwnerListing[];
}

/** Parts and options of the owner routes. */
export interface OwnerRouterOptions {
  readonly parley: OwnerSource;
  /** Your own login. It returns the owner who sends a request. */
  readonly authenticate: Authenticate;
  /** Path below which the routes are served. Default `/owner/api`. */
  readonly prefix?: string;
  /** The address that browsers use, if a proxy rewrites the Host header. */
  readonly publicUrl?: string | undefined;
  /** Sends the answers, and disconnects clients that do not read them. Default: the outbox of this process. */
  readonly outbox?: Outbox | undefined;
}

interface OwnerState {
  owner: OwnerPort;
  ended: () => AbortSignal;
}
type OwnerContext = RouterContext<OwnerState>;

/**
 * The owner HTTP API as one Koa middleware. It has a route for every owner operation, and routes to create, list, view and
 * delete sessions, for log and events, and for the moderator entitlement. Every request below the prefix is answered here.
 * Errors have the same form as for agents.
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
  for (const route of Object.values(OWNER_ROUTES)) addRoute(router, parley, route);
  for (const listing of parley.ownerOperations) addRoute(router, parley, operationRoute(listing));
  const routes = router.routes();
  return answering({ parley, prefix, outbox }, async (ctx) => {
    refuseCrossSite(ctx, publicUrl);
    const sender = await authenticate(ctx);
    const { ownerId, ended = never } = typeof sender === 'string' ? { ownerId: sender } : sender;
    Object.assign(ctx.state, { owner: parley.owner(ownerId), ended });
    await routes(ctx as Parameters<typeof routes>[0], async () => refuseRoute(router, ctx));
  });
}

/** Returns a signal that never aborts. Used for a sender whose sign-in does not end. */
const never = (): AbortSignal => new AbortController().signal;

function addRoute(router: Router<OwnerState>, parley: OwnerSource, route: OwnerRoute): void {
  const path = route.path.replace('{session_id}', ':session_id');
  router.register(path, [route.method], 'streams' in route ? STREAMS[route.streams] : answerWith(route, parley));
}

const answerWith = (route: JsonRoute, parley: OwnerSource) => async (ctx: OwnerContext) => {
  ctx.body = await route.run({
    owner: ctx.state.owner,
    sessionId: sessionOf(ctx),
    query: Object.fromEntries(searchOf(ctx)),
    readBody: () => bodyOf(ctx, parley),
  });
};

const STREAMS = {
  log: (ctx: OwnerContext) => sendLog(ctx, lastingOf(ctx)),
  async events(ctx: OwnerContext) {
    await ctx.state.owner.call('view', sessionOf(ctx));
    streamEvents(ctx, { ...lastingOf(ctx), after: resumePoint(ctx) });
  },
} as const;

function refuseRoute(router: Router<OwnerState>, ctx: Context): never {
  const methods = router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods);
  if (methods.length === 0) return fail('NOT_FOUND', 'The owner API has no such route.');
  ctx.set('Allow', [...new Set(methods)].join(', '));
  return fail('METHOD_NOT_ALLOWED', `This route does not accept ${ctx.method}.`);
}

/** The parts of a request that an answer uses if it takes long, such as a stream. */
const lastingOf = (ctx: OwnerContext) => ({
  owner: ctx.state.owner,
  sessionId: sessionOf(ctx),
  ended: ctx.state.ended(),
});

const sessionOf = (ctx: OwnerContext): string => ctx.params.session_id ?? '';

const searchOf = (ctx: OwnerContext): URLSearchParams => new URLSearchParams(readTarget(ctx.req.url).query);

/** Reads the body as JSON. An empty body, or one of white space alone, is an empty object, as it is for agents. */
async function bodyOf(ctx: OwnerContext, parley: OwnerSource): Promise<unknown> {
  const text = await readText(ctx.req);
  return /^[ \t\r\n]*$/.test(text) ? {} : parley.parseJson(text);
}

/**
 * The number of the last event that the client has. It is taken from the header Last-Event-ID, which a browser sends when it
 * reconnects, or else from the query.
 */
function resumePoint(ctx: OwnerContext): number {
  const text = ctx.get('Last-Event-ID') || searchOf(ctx).get('after') || '0';
  if (!/^\d{1,12}$/.test(text))
    fail('INVALID_INPUT', 'after must be a whole number: the seq of an event.', {
      issues: [{ path: 'after', message: 'Must be a whole number: the seq of an event.' }],
    });
  return Number(text);
}
