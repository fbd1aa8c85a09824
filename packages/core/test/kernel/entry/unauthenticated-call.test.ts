import { expect, test } from 'vitest';
import { registry } from '../../../src/areas/registry.ts';
import type { SessionState } from '../../../src/areas/state.ts';
import { runUnauthenticated } from '../../../src/kernel/entry/calls.ts';
import type { Operation } from '../../../src/kernel/operation/operation.ts';
import { createTestClock, createTestEngine } from '../../../src/testing/test-engine.ts';

test('the reply of a call without a token cannot read the role of a caller', async () => {
  const engine = createTestEngine(createTestClock());
  const health = registry.open.get('GET /health') ?? expect.unreachable();
  const reading: Operation<SessionState> = { ...health, reply: (_state, _input, { caller }) => caller.role };
  await expect(runUnauthenticated(engine, reading, {})).rejects.toThrow(
    new Error('The reply of health reads the caller, but a call without a token has none.'),
  );
});
