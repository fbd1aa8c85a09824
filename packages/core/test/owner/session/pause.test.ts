import { describe, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { paused } from '../../past.ts';

const input = { reason: 'Lunch.' };

describe('pause', () => {
  test('makes an ACTIVE session PAUSED, with the reason', () => {
    given()
      .when('pause', input, 'owner')
      .thenEvents(paused)
      .thenReply({ session_id: 'SessionOfTheGivenTests', status: 'PAUSED', phase: 'PLANNING', round_limit: 3 });
  });

  test('requires a reason', () => {
    given().when('pause', { reason: '' }, 'owner').thenFails('INVALID_INPUT');
  });

  describeOwner('pause', { input, statuses: ['ACTIVE'] });
});
