import type { Engine } from '../engine/engine.ts';
import { contextFor } from '../engine/replies.ts';
import { fail, ParleyError } from '../errors.ts';
import { type Arguments, parseArguments, queryInput, readArguments } from '../operation/arguments.ts';
import { fitRoute, fitTool } from '../operation/bounded-lists.ts';
import {
  type Admission,
  type Answer,
  type Call,
  type Reply,
  type RouteRequest,
  replyOf,
  type Sender,
} from '../operation/host-port.ts';
import { type Caller, effectOf, type Operation, type SessionRoot } from '../operation/operation.ts';
import { type Registry, type RouteEntry, roleClass } from '../operation/registry.ts';
import type { Agent } from '../roles.ts';
import { sha256Hex } from '../text/hash.ts';
import { parseJsonObject } from '../text/json-reading.ts';
import { quotedName } from '../text/safe-echo.ts';
import { bucketOf, type Windows } from '../token/rate-windows.ts';
import { sessionOfSecret } from '../token/token.ts';
import {
  type AuthenticatedRequest,
  admitSender,
  authenticateCached,
  authenticateStored,
  callOf,
  confirm,
  confirmAccess,
  hasAccess,
  type IssuedToken,
  refuseOnceConfirmed,
} from './authentication.ts';

/**
 * The parts that are needed to answer requests from outside: the rate windows, the registry of the agents' operations,
 * and the engine.
 */
interface Entry<S extends SessionRoot> {
  readonly engine: Engine<S>;
  readonly registry: Registry<S>;
  readonly windows: Windows;
}

/** Matches names such as `read_task` that are not followed by a route in parentheses. */
const NAME = /\b[a-z]+(?:_[a-z]+)+\b(?! \()/g;

/**
 * Adds routes to the hint of an error, for an agent that calls over REST. The route stands in parentheses after the first mention
 * of each tool.
 */
function withRoutes<S>(registry: Registry<S>, role: Agent, error: ParleyError): ParleyError {
  const { hint } = error.body();
  const routedNames = new Set<string>();
  const routed = hint.replace(NAME, (name) => {
    const rest = registry.tool(role, name)?.rest;
    if (!rest || routedNames.has(name)) return name;
    routedNames.add(name);
    return `${name} (${typeof rest === 'string' ? rest : rest[roleClass(role)]})`;
  });
  return routedNames.size === 0
    ? error
    : new ParleyError(error.code, error.message, { ...error.details, hint: routed });
}

/**
 * Runs an operation that needs no token. If the operation's input contains a secret, such as an invitation code, the caller
 * is the holder of that secret, and the secret names the session.
 */
export async function runUnauthenticated<S extends SessionRoot>(
  engine: Engine<S>,
  operation: Operation<S>,
  raw: unknown,
): Promise<Reply> {
  const { input } = readArguments(operation, raw);
  const secret = operation.secretIn?.(input);
  if (secret === undefined) return replyWithoutSession(engine, operation, input);
  const sessionId = sessionOfSecret('pinv_', secret, engine.key) ?? unknownCode();
  const codeHash = sha256Hex(secret);
  const identify = (state: S) => engine.domain.authenticateInvitation(state, codeHash, engine.clock.now());
  const judge = async (state: S) => {
    const { invitedBy } = identify(state);
    if (invitedBy !== undefined && (await engine.mayInvite?.(invitedBy)) === false)
      fail(
        'INVITATION_INVALID',
        'The person who made this invitation code may not invite agents any more. Ask the owner for a new code.',
      );
  };
  return await engine.run({
    operation,
    sessionId,
    identify,
    judge,
    absent: unknownCode,
    holder: codeHash,
    input,
    idempotency: undefined,
  });
}

const unknownCode = (): never =>
  fail('INVITATION_INVALID', 'The invitation code is unknown, used, cancelled or expired, or its session ended.');

function replyWithoutSession<S extends SessionRoot>(engine: Engine<S>, operation: Operation<S>, input: unknown): Reply {
  const state = engine.domain.empty('');
  const caller: Caller = {
    get role(): never {
      throw new Error(`The reply of ${operation.name} reads the caller, but a call without a token has none.`);
    },
  };
  return replyOf(operation.reply(state, input, contextFor(engine, state, caller)));
}

/* Answers REST requests. The states through which a request passes are listed in `authentication.ts`. */

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
  const { token } = authenticated;
  const readInput = () =>
    route.method === 'GET' ? readQuery(token, operation, route) : readBody(engine, token, { operation, route });
  return await callWith(engine, authenticated, { operation, readInput, sender: route });
}

interface CallRequest<S> extends Pick<Call<S>, 'operation' | 'sender' | 'maxWaitSeconds'> {
  /** Reads the input. Called once, after the access check. An error that it throws is sent to the caller. */
  readonly readInput: () => Arguments | Promise<Arguments>;
}

/** Makes the call of an authenticated request whose operation is known: checks the access, then reads the input. */
async function callWith<S extends SessionRoot>(
  engine: Engine<S>,
  authenticated: AuthenticatedRequest<S>,
  { operation, readInput, sender, maxWaitSeconds }: CallRequest<S>,
): Promise<Call<S>> {
  const isGranted = hasAccess(engine, authenticated, operation);
  const request = isGranted ? authenticated : await confirmAccess(engine, authenticated, operation);
  const { input, idempotency } = await refuseOnceConfirmed(engine, request, readInput);
  return callOf(engine, request, { operation, input, idempotency, sender, maxWaitSeconds });
}

const readQuery = <S>({ sessionId }: IssuedToken, operation: Operation<S>, { query }: RouteRequest): Arguments =>
  readArguments(operation, queryInput(query), { sessionId });

async function readBody<S extends SessionRoot>(
  engine: Engine<S>,
  { sessionId, tokenHash }: IssuedToken,
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

/*
 * Runs tools for MCP requests and for calls in process. The states through which a request passes are listed in
 * `authentication.ts`.
 */

/** Counts one MCP request and authenticates its token. The request may be a batch of calls. */
export async function admitTools<S extends SessionRoot>(entry: Entry<S>, sender: Sender): Promise<Admission> {
  const { engine, registry, windows } = entry;
  const admitted = await admitSender(engine, windows, sender);
  const { token, caller } = admitted;
  const { role } = caller;
  const requests = createRequests(engine, admitted);
  const toolOf = (name: string): Operation<S> | undefined => {
    const operation = registry.tool(role, name);
    return operation?.restOnly ? undefined : operation;
  };
  const call = async (name: string, readInput: () => unknown, maxWaitSeconds: number | undefined): Promise<Reply> => {
    const operation = toolOf(name) ?? fail('NOT_FOUND', `There is no tool ${quotedName(name)} for this token.`);
    const tool = { operation, readInput, isFromMcpClient: true, sender, maxWaitSeconds };
    const reply = await runTool(engine, await requests.take(), tool);
    return fitTool(reply, operation);
  };
  return {
    role,
    sessionId: token.sessionId,
    charge: async (elements) => await windows.counted.take(token.bucket, engine.limits.perToken, elements),
    confirm: () => requests.confirm(),
    tools: registry.tools[role],
    effectOf(name) {
      const operation = toolOf(name);
      return operation && effectOf(operation);
    },
    callTool: (name, input, maxWaitSeconds) => call(name, () => input, maxWaitSeconds),
    async callToolText(name, text, maxWaitSeconds) {
      await engine.longInputs.next(token.tokenHash, text.length);
      return await call(name, () => parseArguments(text), maxWaitSeconds);
    },
  };
}

/** The authenticated requests for the calls of one batch. */
interface Requests<S> {
  take(): Promise<AuthenticatedRequest<S>>;
  /** Confirms the request of the next call. Throws if its token is no longer valid. */
  confirm(): Promise<void>;
}

/**
 * Creates the authenticated requests of a batch. The first call uses the admitted request. Each later call gets a new
 * one, because an earlier call can have changed the session, and each answer needs a state that was confirmed for its
 * call.
 */
function createRequests<S extends SessionRoot>(engine: Engine<S>, admitted: AuthenticatedRequest<S>): Requests<S> {
  const { token } = admitted;
  let unused: AuthenticatedRequest<S> | undefined = admitted;
  const take = async (): Promise<AuthenticatedRequest<S>> => {
    const request = unused ?? authenticateCached(engine, token) ?? (await authenticateStored(engine, token));
    unused = undefined;
    return request;
  };
  return {
    take,
    async confirm() {
      unused = await confirm(engine, await take());
    },
  };
}

interface ToolRequest<S> {
  readonly operation: Operation<S>;
  /** Reads the input. Called once, after the access check. An error that it throws is sent to the caller. */
  readonly readInput: () => unknown;
  /** As in `ArgumentSource`. */
  readonly isFromMcpClient?: boolean;
  readonly sender?: Pick<Sender, 'signal'> | undefined;
  readonly maxWaitSeconds?: number | undefined;
}

export async function runTool<S extends SessionRoot>(
  engine: Engine<S>,
  authenticated: AuthenticatedRequest<S>,
  { operation, readInput: readRaw, isFromMcpClient = false, sender, maxWaitSeconds }: ToolRequest<S>,
): Promise<Reply> {
  const { sessionId } = authenticated.token;
  const readInput = () => readArguments(operation, readRaw(), { sessionId, isFromMcpClient });
  return await engine.run(await callWith(engine, authenticated, { operation, readInput, sender, maxWaitSeconds }));
}
