import type { Engine } from '../engine/engine.ts';
import { fail } from '../errors.ts';
import { parseJsonObject } from '../json-text.ts';
import { queryInput, readArguments } from '../operation/arguments.ts';
import type { SessionRoot } from '../operation/domain.ts';
import { fitRoute } from '../operation/fitted.ts';
import type { Answer, RouteRequest } from '../operation/host-port.ts';
import type { Operation } from '../operation/operation.ts';
import { type Registry, type RouteEntry, roleClass } from '../operation/registry.ts';
import type { Reply } from '../reply.ts';
import { bucketOf, type Windows } from '../token/rate-windows.ts';
import {
  type AuthenticatedRequest,
  admitSender,
  callerOn,
  checkAccess,
  refuseOnceConfirmed,
  unknownToken,
} from './authentication.ts';
import { runUnauthenticated } from './unauthenticated-call.ts';

/** Answers one REST request: runs the checks in the order of the specification, then the operation. */
export async function answerRoute<S extends SessionRoot>(
  engine: Engine<S>,
  registry: Registry<S>,
  windows: Windows,
  request: RouteRequest,
): Promise<Answer> {
  const open = registry.open.get(`${request.method} ${request.path}`);
  if (open) {
    if (open.secretIn) await admitSecret(engine, windows, request);
    // Ignores the query: monitors and caches add parameters to a health check, and no GET without a token has an input.
    return success(
      await runUnauthenticated(
        engine,
        open,
        request.method === 'GET' ? {} : await readSent(engine, request, request.address),
      ),
    );
  }
  const authenticated = await admitSender(engine, windows, request);
  const operation = await refuseOnceConfirmed(engine, authenticated, () =>
    findOperation(registry, request, authenticated),
  );
  await checkAccess(engine, authenticated, operation);
  const { input, idempotency } = await refuseOnceConfirmed(engine, authenticated, () => {
    const { sessionId } = authenticated;
    if (request.method === 'GET') return readArguments(operation, queryInput(request.query), { sessionId });
    return readSent(engine, request, authenticated.tokenHash).then((sent) =>
      readArguments(operation, sent, { sessionId, headerKeys: request.idempotencyKeys }),
    );
  });
  const identify = callerOn(engine, authenticated, operation);
  const { sessionId, tokenHash: holder, seen } = authenticated;
  return success(
    await engine.run({
      operation,
      sessionId,
      identify,
      absent: unknownToken,
      holder,
      input,
      idempotency,
      seen,
      sender: request,
    }),
  );
}

/**
 * Counts a request that carries a secret in its body. A request from a page of another origin is refused before it is
 * counted; otherwise any page that a person opens could use up the rate window of that person's address.
 */
function admitSecret<S extends SessionRoot>({ limits }: Engine<S>, { counted }: Windows, request: RouteRequest) {
  const { address, isFromForeignPage = false } = request;
  if (isFromForeignPage) fail('CROSS_SITE_REFUSED', 'A browser says that a page of another origin sent this request.');
  return counted.take(bucketOf('redeem', address), limits.redeemPerAddress, 1);
}

const NO_HEADERS = {};

const success = (reply: Reply): Answer => ({
  status: 200,
  body: fitRoute(reply).text,
  headers: NO_HEADERS,
});

const SESSION_ROUTE = /^\/sessions\/([^/]+)\/(.+)$/;

function findOperation<S>(
  registry: Registry<S>,
  { method, path }: RouteRequest,
  authenticated: AuthenticatedRequest<S>,
): Operation<S> {
  const openMethods = ['GET', 'POST'].filter((candidate) => registry.open.has(`${candidate} ${path}`));
  if (openMethods.length > 0) notAllowed(openMethods);
  const [, sessionId, route = ''] = SESSION_ROUTE.exec(path) ?? [];
  const entry = registry.routes.get(route) ?? fail('NOT_FOUND', 'There is no such route.');
  const byRole = operationsOf(entry, method);
  if (sessionId !== authenticated.sessionId) fail('WRONG_SESSION', 'The path names another session than the token.');
  return byRole[roleClass(authenticated.role)] ?? forbidRole(authenticated);
}

type ByRole<S> = Readonly<Partial<Record<'builder' | 'moderator', Operation<S>>>>;

/** A path allows a method if any kind of token may use it. */
const operationsOf = <S>({ methods }: RouteEntry<S>, method: string): ByRole<S> =>
  methods.get(method) ?? notAllowed([...methods.keys()]);

function notAllowed(methods: readonly string[]): never {
  const allow = [...methods, 'OPTIONS'];
  return fail('METHOD_NOT_ALLOWED', `This route takes ${methods.join(' and ')}.`, { allow });
}

function forbidRole<S>({ role }: AuthenticatedRequest<S>): never {
  if (role === 'moderator') return fail('MODERATOR_FORBIDDEN', 'A moderator token does not reach this route.');
  return fail('BUILDER_FORBIDDEN', 'A builder token does not reach this route.');
}

/**
 * @param holder the long bodies of one holder are parsed one at a time
 */
async function readSent<S extends SessionRoot>(
  { fairTurns }: Engine<S>,
  request: RouteRequest,
  holder: string,
): Promise<Record<string, unknown>> {
  const text = await request.readBody();
  await fairTurns.next(holder, text.length);
  return parseJsonObject(text);
}
