import { describe, expect, test } from 'vitest';
import { domain } from '../../src/areas/domain.ts';
import { registry } from '../../src/areas/registry.ts';
import { contextFor } from '../../src/kernel/engine/replies.ts';
import { effectOf } from '../../src/kernel/operation/operation.ts';
import { ownerListings } from '../../src/owner/owner.ts';
import { createTestClock, createTestEngine } from '../../src/testing/test-engine.ts';

/**
 * Only writes may return a new secret: answers to reads may be compressed, and the length of a compressed answer can
 * reveal a secret that the answer contains.
 */
describe('a new token or code', () => {
  test('cannot be minted by a read', () => {
    const engine = createTestEngine(createTestClock());
    const { mint } = contextFor(engine, domain.empty('SessionOfTheSecretTest'), { role: 'owner' });
    expect(() => mint('prt_')).toThrow(new Error('Only a write can mint a secret.'));
  });

  test('is in answers to writes', () => {
    const redeem = registry.open.get('POST /invitations/redeem');
    expect(redeem && effectOf(redeem)).toBe('write');
    expect(ownerListings.find(({ name }) => name === 'invite')?.effect).toBe('write');
  });
});
