import type { Engine } from '../engine/engine.ts';
import { contextFor } from '../engine/replies.ts';
import { fail } from '../errors.ts';
import { readArguments } from '../operation/arguments.ts';
import type { Caller, Operation, SessionRoot } from '../operation/operation.ts';
import { type Reply, replyOf } from '../reply.ts';
import { sha256Hex } from '../text/sha256.ts';
import { sessionOfSecret } from '../token/token.ts';

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
