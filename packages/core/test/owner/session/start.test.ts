import { describe, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';

describe('start', () => {
  test('makes a DRAFT session ACTIVE', () => {
    given([], { isStarted: false })
      .when('start', {}, 'owner')
      .thenEvents({ kind: 'session.started', actor: 'owner', data: {} })
      .thenReply({ session_id: 'SessionOfTheGivenTests', status: 'ACTIVE', phase: 'PLANNING', round_limit: 3 });
  });

  describeOwner('start', { statuses: ['DRAFT'] });
});
