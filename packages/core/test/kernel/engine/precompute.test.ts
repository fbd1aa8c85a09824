import { describe, expect, test } from 'vitest';
import { openSession, seenIn } from '../../../src/testing/index.ts';
import { SAMPLE_CONTRACT } from '../../contract/sample-contract.ts';

describe('the heavy parts of a call', () => {
  test('let other work of the process run in between', async () => {
    const { agentA } = await openSession();
    const seen: string[] = [];
    const tick = (): void => {
      seen.push('tick');
      if (!seen.includes('answer')) setImmediate(tick);
    };
    setImmediate(tick);
    await agentA.call('validate_contract_draft', { contract: SAMPLE_CONTRACT });
    seen.push('answer');
    expect(seen.filter((what) => what === 'tick').length).toBeGreaterThanOrEqual(2);
  });

  test('do not change the order of refusals', async () => {
    const { agentA, owner, sessionId } = await openSession();
    await owner.appointAuthor(sessionId, { candidate: 'agent_a', seen: await seenIn(owner, sessionId) });
    const contract = { ...SAMPLE_CONTRACT, summary: 'x'.repeat(200_001) };
    await expect(
      agentA.call('submit_contract', { contract, expected_parent_id: '', reason: 'Too long.' }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(owner.verifyLog(sessionId)).resolves.toMatchObject({ ok: true });
  });
});
