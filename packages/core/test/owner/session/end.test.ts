import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';

describe('end', () => {
  test.each(['COMPLETED', 'CANCELLED'] as const)('ends a session for good as %s', (end_reason) => {
    given()
      .when('end', { end_reason, note: 'All is done.' }, 'owner')
      .thenEvents({ kind: 'session.ended', actor: 'owner', data: { end_reason, note: 'All is done.' } })
      .thenReply({ session_id: 'SessionOfTheGivenTests', status: 'ENDED', phase: 'PLANNING', round_limit: 3 });
  });

  test('needs no note', () => {
    expect(given().when('end', { end_reason: 'CANCELLED' }, 'owner').reply().status).toBe('ENDED');
  });

  test('refuses another reason', () => {
    given()
      .when('end', { end_reason: 'BORED' as 'CANCELLED' }, 'owner')
      .thenFails('INVALID_INPUT');
  });

  describeOwner('end', { input: { end_reason: 'COMPLETED' }, statuses: NOT_ENDED });
});
