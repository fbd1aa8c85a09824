import type { RouterContext } from '@koa/router';
import Router from '@koa/router';
import {
  type Acting,
  callOf,
  fail,
  type HostPort,
  type Owner,
  type OwnerListing,
  type OwnerRoute,
  ownerRoutes,
  type People,
  type PeopleCalls,
  type Person,
  queryInput,
  type ReadsPeople,
  type RouteCalls,
} from '@parley/core';
import { createBodyEncoder, headerValues, type Outbox, readTarget, readText } from '@parley/http-host';
import type { Context, Middleware } from 'koa';
import { programWords } from '../../text/joining.ts';
import { type Authenticate, refuseCrossSite, type SignedIn } from '../access/owner-authentication.ts';
import { packageFile } from '../package-file.ts';
import { answering, refuseMethod } from './answering.ts';
import { sendLines, streamEvents } from './log-stream.ts';

/** The parts of Parley that the owner's routes use. */
export interface OwnerSource extends Pick<HostPort, 'parseJson' | 'toError'> {
  owner(
    ownerId: string,
    acting?: Acting & {
      readonly readsPeople?: ReadsPeople | undefined;
      readonly account?: () => ReturnType<PeopleCalls['ownAccount']>;
    },
  ): Owner;
  /** Counts a request of a person. @throws ParleyError RATE_LIMITED */
  countOwner(ownerId: string, person?: Person): Promise<void>;
  readonly ownerOperations: readonly OwnerListing[];
}

/** The parameters of `createOwnerRouter`. */
export interface OwnerRouterOptions {
  readonly parley: OwnerSource;
  /** Your own authentication. Returns the owner who sends the request. */
  readonly authenticate: Authenticate;
  /** The people who have keys. If left out, the routes about people answer 404. */
  readonly people?: Pick<People, 'calls'> | undefined;
  /** Path below which the routes are served. Default: `/owner/api`. */
  readonly prefix?: string;
  /** The address that browsers use, if a proxy rewrites the Host header. */
  readonly publicUrl?: string | undefined;
  /** Sends the answers, and disconnects clients that do not read them. Default: the outbox of this process. */
  readonly outbox?: Outbox | undefined;
  /** Whether large answers to reads are compressed. Default: true. */
  readonly compression?: boolean | undefined;
}

interface OwnerState extends RouteCalls {
  ended: () => AbortSignal;
  compression: boolean;
}
type OwnerContext = RouterContext<OwnerState>;

/**
 * Creates one Koa middleware for the owner's HTTP API, with the routes of `ownerRoutes`. The middleware answers every request
 * below the prefix. Errors have the same form as for agents.
 *
 * @example app.use(createOwnerRouter({ parley, authenticate: (ctx) => ctx.state.user.id }));
 */
export function createOwnerRouter({
  parley,
  authenticate,
  people,
  prefix = '/owner/api',
  publicUrl,
  outbox,
  compression = true,
}: OwnerRouterOptions): Middleware {
  const router = new Router<OwnerState>({ prefix, sensitive: true, strict: true });
  for (const route of ownerRoutes(parley.ownerOperations))
    router.register(route.path.replace(/\{(\w+)\}/g, ':$1'), [route.method], answerWith(route, parley));
  const routes = router.routes();
  const sending = { outbox, encodeBody: createBodyEncoder(compression) };
  return answering({ parley, prefix, ...sending }, async (ctx) => {
    refuseCrossSite(ctx, publicUrl);
    const sender = await authenticate(ctx);
    const {
      ownerId,
      person,
      present,
      approvers,
      ended = never,
    }: SignedIn = typeof sender === 'string' ? { ownerId: sender } : sender;
    await parley.countOwner(ownerId, person);
    const readsPeople = async () => await callsOf().eventFilter();
    const account = async () => await (people && callsOf().ownAccount());
    const acting = { person, present, approvers, account, readsPeople: people && readsPeople };
    const owner = parley.owner(ownerId, acting);
    const callsOf = () =>
      people?.calls(person, present, owner.leftBehind) ??
      fail('NOT_FOUND', 'This service has no people with keys of their own.', {
        hint: 'Sign in with the owner key. To add people, set the option people of createOwnerApp in the program that serves Parley.',
      });
    Object.assign(ctx.state, { ownerId, owner, people: callsOf, ended, compression });
    await routes(ctx as Parameters<typeof routes>[0], async () => refuseRoute(router, ctx));
  });
}

/** Returns a signal that never aborts, for an authentication whose sign-ins have no end. */
const never = (): AbortSignal => new AbortController().signal;

function answerWith(route: OwnerRoute, parley: OwnerSource): (ctx: OwnerContext) => Promise<void> {
  if (route.streams === 'lines') return sendLinesOf(route);
  return route.streams === 'events' ? sendEvents : sendJson(route, parley);
}

const sendJson = (route: OwnerRoute, parley: OwnerSource) => async (ctx: OwnerContext) => {
  const { owner, people } = ctx.state;
  const ids = idsOf(ctx);
  const query = queryInput(searchOf(ctx));
  const run = callOf(route, ctx.state);
  const keys = route.method === 'GET' ? [] : headerValues(ctx.req, 'idempotency-key');
  if (keys.length > 0) {
    const body = await bodyOf(ctx, parley);
    const sent = { keys, route: `${ctx.method} ${ctx.path}`, body: { query, body } };
    ctx.body = await owner.answerOnce(sent, (port) => callOf(route, { owner: port, people })(ids, body));
  } else if (route.method === 'GET') ctx.body = await run(ids, route.of === 'session' ? query : withLimit(query));
  else if (prefersAfter(route, ctx)) {
    const answer = await owner.act(route.call, sessionOf(ctx), await bodyOf(ctx, parley));
    if ('after' in answer) ctx.set('Preference-Applied', 'return=representation');
    ctx.body = answer;
  } else ctx.body = await run(ids, route.readsBody ? await bodyOf(ctx, parley) : {});
};

/**
 * Whether the sender of a write on a session asks for its effect and for the session after it (RFC 7240). The header is a list of
 * preferences, whose names have any case and whose parameters follow a semicolon.
 */
const prefersAfter = ({ of }: OwnerRoute, ctx: OwnerContext): boolean =>
  of === 'session' &&
  ctx
    .get('Prefer')
    .split(',')
    .some((preference) => /^\s*return\s*=\s*("?)representation\1\s*(?:;|$)/i.test(preference));

/** The names of the files under which a browser saves the lines of the calls that concern no session. */
const FILES: Readonly<Record<string, string>> = { exportAudit: 'audit', exportPeopleLog: 'people' };

const sendLinesOf = (route: OwnerRoute) => (ctx: OwnerContext) => {
  const lines = callOf(route, ctx.state)(idsOf(ctx), queryInput(searchOf(ctx)));
  const fileName = `parley-${FILES[route.call] ?? sessionOf(ctx)}.jsonl`;
  return sendLines(ctx, { lines, fileName, ended: ctx.state.ended() });
};

async function sendEvents(ctx: OwnerContext): Promise<void> {
  const { owner, ended, compression } = ctx.state;
  const sessionId = sessionOf(ctx);
  const { head } = await owner.call('view', sessionId);
  const range = { after: resumePoint(ctx, Number(Object(head).seq)), until: numberIn(ctx, 'until') };
  streamEvents(ctx, { owner, sessionId, ended: ended(), ...range, compression });
}

function refuseRoute(router: Router<OwnerState>, ctx: Context): never {
  const methods = router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods);
  if (methods.length === 0) return fail('NOT_FOUND', 'The owner API has no such route.');
  return refuseMethod(ctx, new Set(methods));
}

/** The ids in the path, in its order. */
const idsOf = ({ params }: OwnerContext): readonly string[] => Object.values(params);

const sessionOf = (ctx: OwnerContext): string => ctx.params.session_id ?? '';

const searchOf = (ctx: OwnerContext): URLSearchParams => new URLSearchParams(readTarget(ctx.req.url).query);

/**
 * Converts `limit` to a number, because a query contains only texts. A text that is not a number stays unchanged, so
 * that core refuses it.
 */
function withLimit({ limit, ...query }: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  return limit === undefined ? query : { ...query, limit: /^\d{1,9}$/.test(limit) ? Number(limit) : limit };
}

/**
 * Parses the body as JSON. A body without characters other than white space is treated as an empty object, as for
 * agents.
 */
async function bodyOf(ctx: OwnerContext, parley: OwnerSource): Promise<unknown> {
  const text = await readText(ctx.req);
  return /^[ \t\r\n]*$/.test(text) ? {} : parley.parseJson(text);
}

/**
 * Returns the number of the event after which the stream begins. A browser that reconnects sends this number in the
 * header Last-Event-ID. Other clients send this number as `after`, or send as `last` how many of the newest events they
 * want.
 */
function resumePoint(ctx: OwnerContext, headSeq: number): number {
  const last = numberIn(ctx, 'last');
  const after = ctx.get('Last-Event-ID') ? readNumber(ctx.get('Last-Event-ID'), 'after') : numberIn(ctx, 'after');
  return after ?? (last === undefined ? 0 : Math.max(0, headSeq - last));
}

/** A number in the query. Undefined if the parameter is absent or empty. */
function numberIn(ctx: OwnerContext, name: string): number | undefined {
  const text = searchOf(ctx).get(name);
  return text ? readNumber(text, name) : undefined;
}

function readNumber(text: string, path: string): number {
  const what = path === 'last' ? 'a number of events' : 'the seq of an event';
  const rule = `be a whole number: ${what}.`;
  if (!/^\d{1,12}$/.test(text))
    fail('INVALID_INPUT', `${path} must ${rule}`, { issues: [{ path, message: `Must ${rule}` }] });
  return Number(text);
}

interface ProgramRouteOptions {
  readonly parley: Pick<HostPort, 'toError'>;
  readonly authenticate: Authenticate;
  readonly publicUrl?: string | undefined;
}

/**
 * The route `GET /owner/api/program`. The answer is `{ words }`: the words of the command line that runs the command
 * `parley` of this server. The console shows them in the commands with which an agent on the same machine joins.
 */
export const createProgramRoute = ({ parley, authenticate, publicUrl }: ProgramRouteOptions): Middleware =>
  answering({ parley, prefix: '/owner/api/program' }, async (ctx) => {
    if (ctx.method !== 'GET') refuseMethod(ctx, ['GET']);
    refuseCrossSite(ctx, publicUrl);
    await authenticate(ctx);
    ctx.body = { words: programWords(packageFile('bin/parley.js')) };
  });
