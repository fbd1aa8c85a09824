import { createHash, randomBytes } from 'node:crypto';
import { Stream } from 'node:stream';
import {
  answerText,
  type ErrorCode,
  errorHeaders,
  fail,
  type HostPort,
  InvalidInput,
  type ParleyError,
} from '@parley/core';
import {
  type AnsweredRequest,
  createBodyEncoder,
  cutOffIn,
  discardRest,
  type EncodeBody,
  type Outbox,
  processOutbox,
  readTarget,
  shownPath,
  type Target,
} from '@parley/http-host';
import type { Context, Middleware } from 'koa';

/**
 * The hints in error answers to the owner, by error code. They replace the hints of core, which are written for agents.
 */
const OWNER_HINTS: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'Sign in at /owner/, or send "Authorization: Bearer pok_..." with the owner key.',
  CROSS_SITE_REFUSED: 'Use the console of this server at /owner/, or send the owner key as a Bearer token.',
  NOT_FOUND: 'POST /owner/api/sessions/{id}/<operation> runs an operation; `parley --help` lists the operations.',
  INVALID_TRANSITION:
    'Run `parley view SESSION`, which shows the status and the phase. They decide which operations are possible.',
  MODERATOR_NOT_ENTITLED:
    'Allow moderators first: run `parley moderator-entitlement on`, or POST {"entitled": true} to /owner/api/moderator-entitlement.',
  SESSION_ENDED: 'The session can still be read, exported and deleted. To continue the work, create another session.',
  UNKNOWN_RECORD:
    'Run `parley sessions` for the ids of your sessions, `parley view SESSION` for the ids of its records, or `parley people list` for the ids of people.',
  ALREADY_ANSWERED: 'Your first answer is final. To add something, ask the agents a question or give them a directive.',
  HOLD_ACTIVE: 'Release each hold in hold_ids, or wait until the moderator releases it or its finding is resolved.',
  HOLD_CLOSED: 'The hold was already released. `parley view SESSION` lists the active holds.',
};

interface OwnerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Converts any thrown value to an error answer. The answer has the owner's hint for the error code, unless the error
 * has its own hint.
 */
function answerError(thrown: unknown, toError: (thrown: unknown) => ParleyError): OwnerAnswer {
  const error = toError(thrown);
  const { code, status } = error;
  const hint = error.details.hint === undefined ? OWNER_HINTS[code] : undefined;
  const headers = {
    ...errorHeaders(error),
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="parley owner"' } : {}),
  };
  return { status, headers, body: { ...error.body(), ...(hint ? { hint } : {}), ...issuesTotalOf(error) } };
}

/** Returns `issues_total`, the number of all faults in the input, if `issues` contains only some of them. */
function issuesTotalOf(error: ParleyError): Readonly<Record<string, unknown>> {
  if (!(error instanceof InvalidInput) || !Array.isArray(error.details.issues)) return {};
  return error.issuesTotal > error.details.issues.length ? { issues_total: error.issuesTotal } : {};
}

/**
 * Replaces the request target by its path and query. Koa would parse an absolute target, or the Host header, as an
 * address, and would throw for some invalid host names.
 */
export function plainTarget(ctx: Context): Target {
  const target = readTarget(ctx.req.url);
  ctx.req.url = target.query ? `${target.path}?${target.query}` : target.path;
  return target;
}

interface Answering {
  readonly parley: Pick<HostPort, 'toError'>;
  readonly prefix: string;
  /** The outbox that sends the answers. Default: the outbox of this process. */
  readonly outbox?: Outbox | undefined;
  /** Encodes the bodies of answers. Default: bodies are not encoded. */
  readonly encodeBody?: EncodeBody | undefined;
}

interface Sending {
  readonly outbox: Outbox;
  readonly encodeBody: EncodeBody;
}

/**
 * Returns a middleware that runs a handler for the prefix and all paths below it. Errors become error bodies. The
 * headers forbid browsers and proxies to store an answer.
 */
export function answering(
  { parley, prefix, outbox = processOutbox, encodeBody = createBodyEncoder(false) }: Answering,
  handle: (ctx: Context) => Promise<void>,
): Middleware {
  return async (ctx, next) => {
    const { path } = plainTarget(ctx);
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return next();
    ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' });
    try {
      await handle(ctx);
    } catch (thrown) {
      const { status, headers, body } = answerError(thrown, parley.toError);
      ctx.status = status;
      ctx.set(headers);
      ctx.body = body;
      discardRest(ctx.req);
    }
    await send(ctx, { outbox, encodeBody });
  };
}

/** Refuses a request whose method the route does not have. */
export function refuseMethod(ctx: Context, methods: Iterable<string>): never {
  ctx.set('Allow', [...methods].join(', '));
  return fail('METHOD_NOT_ALLOWED', `This route does not accept ${ctx.method}.`);
}

/**
 * Sends the answer of a handler. Koa itself sends a stream; the outbox sends every other answer as JSON. Answers to
 * reads may be compressed, because no read of the owner returns a token, code or key. A read that names the ETag of the
 * same answer (If-None-Match) gets 304 without a body.
 */
async function send(ctx: Context, { outbox, encodeBody }: Sending): Promise<void> {
  const { req: request, res: response, body } = ctx;
  const outgoing = { request, response, client: () => request.socket.remoteAddress ?? '' };
  if (body instanceof Stream) {
    outbox.watch(outgoing);
    return;
  }
  const text = answerText(body);
  const etag = isRead(ctx) && ctx.status === 200 ? etagOf(text) : undefined;
  const isKnown = etag !== undefined && ctx.get('If-None-Match') === etag;
  if (isKnown) ctx.status = 304;
  const mayCompress = isRead(ctx) && ctx.status < 300;
  const encoded = await encodeBody(request, { body: isKnown ? '' : text, mayCompress });
  ctx.respond = false;
  ctx.set({ ...(etag !== undefined && { ETag: etag }), ...encoded.headers });
  if (!isKnown) {
    ctx.type = 'json';
    ctx.length = Buffer.byteLength(encoded.body);
  }
  outbox.send(outgoing, encoded.body);
}

const isRead = ({ method }: Context): boolean => method === 'GET' || method === 'HEAD';

/** Weak, because the answer may be sent compressed. */
const etagOf = (text: string): string => `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;

/**
 * Logs each request to the owner API and the console, and adds a request id to the answer. The hosts of the agents log
 * their own requests.
 */
export const logOwnerRequests =
  (log: (request: AnsweredRequest) => void): Middleware =>
  async (ctx, next) => {
    const requestId = randomBytes(16).toString('hex');
    const path = shownPath(plainTarget(ctx).path);
    const { method } = ctx;
    const start = performance.now();
    ctx.set('X-Request-Id', requestId);
    ctx.res.once('close', () => {
      const status = ctx.res.writableFinished ? ctx.res.statusCode : 499;
      log({ method, path, status, ms: Math.round(performance.now() - start), requestId, ...cutOffIn(ctx.req) });
    });
    await next();
  };
