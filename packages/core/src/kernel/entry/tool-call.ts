import type { Engine } from '../engine/engine.ts';
import { fail } from '../errors.ts';
import { parseArguments, readArguments } from '../operation/arguments.ts';
import type { Folded } from '../operation/domain.ts';
import { fitTool } from '../operation/fitted.ts';
import type { Admission, Sender } from '../operation/host-port.ts';
import type { Operation } from '../operation/operation.ts';
import type { Registry } from '../operation/registry.ts';
import type { Reply } from '../reply.ts';
import type { Windows } from '../token/rate-windows.ts';
import {
  admitSender,
  checkAccess,
  confirmVisit,
  identifyVisit,
  refusingLate,
  unknownToken,
  type Visit,
} from './authentication.ts';

/** Admits one MCP request: counted once, its token known. */
export async function admitTools<S extends Folded>(
  engine: Engine<S>,
  registry: Registry<S>,
  windows: Windows,
  sender: Sender,
): Promise<Admission> {
  const visit = await admitSender(engine, windows, sender);
  const { role, sessionId } = visit;
  const call = async (name: string, readInput: () => unknown, maxWaitSeconds: number | undefined): Promise<Reply> => {
    const operation = registry.tool(role, name) ?? fail('NOT_FOUND', 'There is no such tool for this token.');
    return fitTool(await runTool(engine, visit, operation, { readInput, sender, maxWaitSeconds }), operation);
  };
  return {
    role,
    sessionId,
    charge: async (elements) => await windows.counted.take(visit.bucket, engine.limits.perToken, elements),
    confirm: async () => void (await confirmVisit(engine, visit)),
    listTools: () => registry.listings[role],
    hasTool: (name) => registry.tool(role, name) !== undefined,
    callTool: (name, input, maxWaitSeconds) => call(name, () => input, maxWaitSeconds),
    callToolText: (name, text, maxWaitSeconds) => call(name, () => parseArguments(text), maxWaitSeconds),
  };
}

/** What a token asks of one operation. */
export interface ToolRequest {
  /** Called once, and only after access was granted; what it throws is the refusal. */
  readonly readInput: () => unknown;
  readonly sender?: Pick<Sender, 'signal'> | undefined;
  readonly maxWaitSeconds?: number | undefined;
}

/** Runs one operation for a token that was let in. */
export async function runTool<S extends Folded>(
  engine: Engine<S>,
  visit: Visit<S>,
  operation: Operation<S>,
  { readInput, ...waiting }: ToolRequest,
): Promise<Reply> {
  const { sessionId, tokenHash: holder } = visit;
  await checkAccess(engine, visit, operation);
  const { input, idempotency } = await refusingLate(engine, visit, () =>
    readArguments(operation, readInput(), { sessionId }),
  );
  const identify = identifyVisit(engine, visit, operation);
  const { seen } = visit;
  visit.seen = undefined; // what follows in a batch asks anew
  const call = { operation, sessionId, identify, absent: unknownToken, holder, input, idempotency, seen, ...waiting };
  return await engine.run(call);
}
