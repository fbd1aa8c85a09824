import { readArguments } from './arguments.ts';
import type { Folded } from './domain.ts';
import type { Engine } from './engine.ts';
import { fail } from './errors.ts';
import { sha256Hex } from './event.ts';
import type { Operation } from './operation.ts';
import type { RateWindows } from './rate-windows.ts';
import { contextFor } from './replies.ts';
import { sessionOfSecret } from './token.ts';

/** Runs an operation that needs no token. One that names its session by a secret is counted per client address. */
export async function runOpenCall<S extends Folded>(
  engine: Engine<S>,
  windows: RateWindows,
  operation: Operation<S>,
  address: string,
  readInput: () => Promise<unknown>,
): Promise<unknown> {
  if (operation.secretIn) await windows.take(`redeem:${address}`, engine.limits.redeemPerAddress, 1);
  return await runGuestCall(engine, operation, await readInput());
}

/** The same in process, uncounted. */
export async function runGuestCall<S extends Folded>(
  engine: Engine<S>,
  operation: Operation<S>,
  raw: unknown,
): Promise<unknown> {
  const { input } = readArguments(operation, raw, { source: 'json' });
  const secret = operation.secretIn?.(input);
  if (secret === undefined) return replyWithoutSession(engine, operation, input);
  const sessionId = sessionOfSecret('pinv_', secret, engine.key) ?? unknownCode();
  const codeHash = sha256Hex(secret);
  const identify = (state: S) => engine.domain.identifyGuest(state, codeHash, engine.clock.now());
  return await engine.run({
    operation,
    sessionId,
    identify,
    absent: unknownCode,
    holder: codeHash,
    input,
    idempotency: undefined,
  });
}

const unknownCode = (): never => fail('INVITATION_INVALID', 'This code is unknown, used, cancelled or expired.');

function replyWithoutSession<S extends Folded>(engine: Engine<S>, operation: Operation<S>, input: unknown): unknown {
  const state = engine.domain.empty('');
  return operation.reply(state, input, contextFor(engine, state, { role: 'owner' }, {}));
}
