import type { Engine } from '../engine/engine.ts';
import { fail } from '../errors.ts';
import { parseArguments, readArguments } from '../operation/arguments.ts';
import type { SessionRoot } from '../operation/domain.ts';
import { fitTool } from '../operation/fitted.ts';
import type { Admission, Sender } from '../operation/host-port.ts';
import type { Operation } from '../operation/operation.ts';
import type { Registry } from '../operation/registry.ts';
import type { Reply } from '../reply.ts';
import type { Windows } from '../token/rate-windows.ts';
import {
  type AuthenticatedRequest,
  admitSender,
  callerOn,
  checkAccess,
  confirmToken,
  refuseOnceConfirmed,
  unknownToken,
} from './authentication.ts';

/** Admits one MCP request: counts it and authenticates its token. */
export async function admitTools<S extends SessionRoot>(
  engine: Engine<S>,
  registry: Registry<S>,
  windows: Windows,
  sender: Sender,
): Promise<Admission> {
  const authenticated = await admitSender(engine, windows, sender);
  const { role, sessionId } = authenticated;
  const call = async (name: string, readInput: () => unknown, maxWaitSeconds: number | undefined): Promise<Reply> => {
    const operation = registry.tool(role, name) ?? fail('NOT_FOUND', 'There is no such tool for this token.');
    return fitTool(await runTool(engine, authenticated, operation, { readInput, sender, maxWaitSeconds }), operation);
  };
  return {
    role,
    sessionId,
    charge: async (elements) => await windows.counted.take(authenticated.bucket, engine.limits.perToken, elements),
    confirm: async () => void (await confirmToken(engine, authenticated)),
    tools: registry.tools[role],
    hasTool: (name) => registry.tool(role, name) !== undefined,
    callTool: (name, input, maxWaitSeconds) => call(name, () => input, maxWaitSeconds),
    async callToolText(name, text, maxWaitSeconds) {
      await engine.fairTurns.next(authenticated.tokenHash, text.length);
      return await call(name, () => parseArguments(text), maxWaitSeconds);
    },
  };
}

/** What a token wants to call. */
export interface ToolRequest {
  /** Called once, after access was granted; an error that it throws is the refusal. */
  readonly readInput: () => unknown;
  readonly sender?: Pick<Sender, 'signal'> | undefined;
  readonly maxWaitSeconds?: number | undefined;
}

/** Runs one operation for an admitted token. */
export async function runTool<S extends SessionRoot>(
  engine: Engine<S>,
  authenticated: AuthenticatedRequest<S>,
  operation: Operation<S>,
  { readInput, ...waiting }: ToolRequest,
): Promise<Reply> {
  const { sessionId, tokenHash: holder } = authenticated;
  await checkAccess(engine, authenticated, operation);
  const { input, idempotency } = await refuseOnceConfirmed(engine, authenticated, () =>
    readArguments(operation, readInput(), { sessionId }),
  );
  const identify = callerOn(engine, authenticated, operation);
  const { seen } = authenticated;
  authenticated.seen = undefined; // The next call of a batch confirms its state again.
  const call = { operation, sessionId, identify, absent: unknownToken, holder, input, idempotency, seen, ...waiting };
  return await engine.run(call);
}
