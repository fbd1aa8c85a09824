import { describe, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { inPhase, paused, resumed } from '../../past.ts';

describe('resume', () => {
  test('makes a PAUSED session ACTIVE, in the phase where it was', () => {
    given([inPhase('CONTRACT'), paused])
      .when('resume', {}, 'owner')
      .thenEvents(resumed)
      .thenReply({ session_id: 'SessionOfTheGivenTests', status: 'ACTIVE', phase: 'CONTRACT', round_limit: 3 });
  });

  describeOwner('resume', { statuses: ['PAUSED'] });
});
