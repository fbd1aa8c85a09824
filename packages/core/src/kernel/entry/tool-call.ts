/**
 * Runs tools for MCP requests and for calls in process. The states through which a request passes are listed in
 * `authentication.ts`.
 */
import type { Engine } from '../engine/engine.ts';
import { fail } from '../errors.ts';
import { parseArguments, readArguments } from '../operation/arguments.ts';
import { fitTool } from '../operation/fitted.ts';
import type { Admission, Sender } from '../operation/host-port.ts';
import type { SessionRoot } from '../operation/operation.ts';
import { effectOf, type Operation } from '../operation/operation.ts';
import type { Reply } from '../reply.ts';
import { quotedName } from '../text/safe-echo.ts';
import {
  type AuthenticatedRequest,
  admitSender,
  authenticateCached,
  authenticateStored,
  callOf,
  confirm,
  confirmAccess,
  hasAccess,
  refuseOnceConfirmed,
} from './authentication.ts';
import type { Entry } from './entry.ts';

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

export interface ToolRequest<S> {
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
  { operation, readInput, isFromMcpClient = false, sender, maxWaitSeconds }: ToolRequest<S>,
): Promise<Reply> {
  const isGranted = hasAccess(engine, authenticated, operation);
  const request = isGranted ? authenticated : await confirmAccess(engine, authenticated, operation);
  const { input, idempotency } = await refuseOnceConfirmed(engine, request, () =>
    readArguments(operation, readInput(), { sessionId: request.token.sessionId, isFromMcpClient }),
  );
  return await engine.run(callOf(engine, request, { operation, input, idempotency, sender, maxWaitSeconds }));
}
