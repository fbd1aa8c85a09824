/** Answers REST requests. The states through which a request passes are listed in `authentication.ts`. */
import type { Engine } from '../engine/engine.ts';
import { fail, ParleyError } from '../errors.ts';
import { type Arguments, queryInput, readArguments } from '../operation/arguments.ts';
import type { Call } from '../operation/call.ts';
import { fitRoute } from '../operation/fitted.ts';
import type { Answer, RouteRequest } from '../operation/host-port.ts';
import type { SessionRoot } from '../operation/operation.ts';
import { effectOf, type Operation } from '../operation/operation.ts';
import { type Registry, type RouteEntry, roleClass } from '../operation/registry.ts';
import type { Reply } from '../reply.ts';
import type { Agent } from '../roles.ts';
import { parseJsonObject } from '../text/json-text.ts';
import { bucketOf, type Windows } from '../token/rate-windows.ts';
import {
  type AuthenticatedRequest,
  admitSender,
  callOf,
  confirmAccess,
  hasAccess,
  refuseOnceConfirmed,
} from './authentication.ts';
import type { Entry } from './entry.ts';
import { withRoutes } from './entry.ts';
import { runUnauthenticated } from './unauthenticated-call.ts';

/** Answers one REST request: the checks in the order of the specification, then the operation. */
export async function answerRoute<S extends SessionRoot>(entry: Entry<S>, request: RouteRequest): Promise<Answer> {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const open = entry.registry.open.get(`${method} ${request.path}`);
  const { operation, reply } = open ? await runOpenRoute(entry, open, request) : await runSessionRoute(entry, request);
  return {
    status: 200,
    body: fitRoute(reply).text,
    headers: NO_HEADERS,
    mayCompress: effectOf(operation) === 'read',
  };
}

interface Ran<S> {
  readonly operation: Operation<S>;
  readonly reply: Reply;
}

const NO_HEADERS = {};

/**
 * Runs an operation that needs no token. The query of a GET is ignored, because monitors and caches add their own
 * parameters. A HEAD runs as the GET of its path; the host sends no body.
 */
async function runOpenRoute<S extends SessionRoot>(
  { engine, windows }: Entry<S>,
  operation: Operation<S>,
  request: RouteRequest,
): Promise<Ran<S>> {
  if (operation.secretIn) await admitSecret(engine, windows, request);
  const sent = request.method === 'POST' ? await readSent(engine, request, request.address) : {};
  return { operation, reply: await runUnauthenticated(engine, operation, sent) };
}

async function runSessionRoute<S extends SessionRoot>(entry: Entry<S>, route: RouteRequest): Promise<Ran<S>> {
  const authenticated = await admitSender(entry.engine, entry.windows, route);
  try {
    // The call is made by a function of its own, because a held poll keeps the variables of each function that waits for it.
    const call = await readCall(entry, route, authenticated);
    return { operation: call.operation, reply: await entry.engine.run(call) };
  } catch (thrown) {
    throw thrown instanceof ParleyError ? withRoutes(entry.registry, authenticated.caller.role, thrown) : thrown;
  }
}

/** Makes the call of an authenticated request: finds its operation, checks the access, and reads the input. */
async function readCall<S extends SessionRoot>(
  { engine, registry }: Entry<S>,
  route: RouteRequest,
  authenticated: AuthenticatedRequest<S>,
): Promise<Call<S>> {
  const operation = await refuseOnceConfirmed(engine, authenticated, () =>
    findOperation(registry, route, authenticated),
  );
  const isGranted = hasAccess(engine, authenticated, operation);
  const request = isGranted ? authenticated : await confirmAccess(engine, authenticated, operation);
  const { input, idempotency } = await refuseOnceConfirmed(engine, request, () =>
    route.method === 'GET' ? readQuery(request, operation, route) : readBody(engine, request, { operation, route }),
  );
  return callOf(engine, request, { operation, input, idempotency, sender: route });
}

const readQuery = <S>(
  { token }: AuthenticatedRequest<S>,
  operation: Operation<S>,
  { query }: RouteRequest,
): Arguments => readArguments(operation, queryInput(query), { sessionId: token.sessionId });

async function readBody<S extends SessionRoot>(
  engine: Engine<S>,
  { token: { sessionId, tokenHash } }: AuthenticatedRequest<S>,
  { operation, route }: { readonly operation: Operation<S>; readonly route: RouteRequest },
): Promise<Arguments> {
  const sent = await readSent(engine, route, tokenHash, operation.maxBodyChars);
  return readArguments(operation, sent, { sessionId, headerKeys: route.idempotencyKeys });
}

/**
 * Counts a request whose body contains a secret. A request from a page of another origin is refused before it is counted: otherwise
 * any page that a person opens could use up the rate window of that person's address.
 */
function admitSecret<S extends SessionRoot>({ limits }: Engine<S>, { counted }: Windows, request: RouteRequest) {
  const { address, isFromForeignPage = false } = request;
  if (isFromForeignPage) fail('CROSS_SITE_REFUSED', 'A web page of another origin sent this request.');
  return counted.take(bucketOf('redeem', address), limits.redeemPerAddress, 1);
}

const SESSION_ROUTE = /^\/sessions\/([^/]+)\/(.+)$/;

function findOperation<S>(
  registry: Registry<S>,
  { method, path }: RouteRequest,
  authenticated: AuthenticatedRequest<S>,
): Operation<S> {
  const openMethods = ['GET', 'POST'].filter((candidate) => registry.open.has(`${candidate} ${path}`));
  if (openMethods.length > 0) notAllowed(openMethods);
  const [, sessionId, route = ''] = SESSION_ROUTE.exec(path) ?? [];
  const { role } = authenticated.caller;
  const entry = registry.routes.get(route) ?? refuseUnknownRoute(registry, role);
  const byRole = operationsOf(entry, method);
  if (sessionId !== authenticated.token.sessionId)
    fail('WRONG_SESSION', 'The session in the path is not the session of the token.');
  return byRole[roleClass(role)] ?? forbidRole(role);
}

function refuseUnknownRoute<S>({ routes }: Registry<S>, role: Agent): never {
  const own = [...routes].flatMap(([path, { methods }]) =>
    [...methods].flatMap(([method, byRole]) => {
      const operation = byRole[roleClass(role)];
      return operation ? [`${operation.name}: ${method} ${path}${membersOf(operation)}`] : [];
    }),
  );
  return fail(
    'NOT_FOUND',
    `There is no route at this path. The tools of your token, with their routes below /sessions/{session_id}/ and the members of query or body, are: ${own.join('; ')}.`,
  );
}

/** The members of the input, those that can be left out with a question mark. Empty if there are none. */
function membersOf<S>({ inputSchema: { properties = {}, required = [] } }: Operation<S>): string {
  const members = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
  return members.length === 0 ? '' : ` {${members.join(', ')}}`;
}

type ByRole<S> = Readonly<Partial<Record<'builder' | 'moderator', Operation<S>>>>;

/** The operations of a path for one HTTP method, by kind of token. Refuses a method that the path does not have. */
const operationsOf = <S>({ methods }: RouteEntry<S>, method: string): ByRole<S> =>
  methods.get(method) ?? notAllowed([...methods.keys()]);

function notAllowed(methods: readonly string[]): never {
  const allow = [...methods, 'OPTIONS'];
  return fail('METHOD_NOT_ALLOWED', `This route accepts only ${methods.join(' and ')}.`, { allow });
}

function forbidRole(role: Agent): never {
  if (role === 'moderator') return fail('MODERATOR_FORBIDDEN', 'This route is not available to a moderator token.');
  return fail('BUILDER_FORBIDDEN', 'This route is not available to a builder token.');
}

/**
 * Reads and parses the body.
 *
 * @param holder the sender; the long bodies of one sender are parsed one at a time
 */
async function readSent<S extends SessionRoot>(
  { longInputs }: Engine<S>,
  request: RouteRequest,
  holder: string,
  maxChars?: number,
): Promise<Record<string, unknown>> {
  const text = await request.readBody(maxChars);
  const turn = longInputs.next(holder, text.length);
  if (turn) await turn; // A short text is parsed without waiting.
  return parseJsonObject(text);
}
