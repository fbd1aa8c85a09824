import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';
import { elected, inPhase, nominated } from '../../past.ts';

const input = { candidate: 'agent_b' } as const;
const data = { contract_author: 'agent_b', technical_reviewer: 'agent_a' } as const;

describe('appoint_author', () => {
  test('makes a builder Contract Author and opens the contract phase', () => {
    given()
      .when('appointAuthor', input, 'owner')
      .thenEvents({ kind: 'author.elected', actor: 'owner', data }, inPhase('CONTRACT'))
      .thenReply({ nominations: [], ...data, phase: 'CONTRACT' });
  });

  test('settles a split election', () => {
    const reply = given([nominated('agent_a', 'agent_a'), nominated('agent_b', 'agent_b')])
      .when('appointAuthor', input, 'owner')
      .reply();
    expect(reply).toMatchObject({ contract_author: 'agent_b', nominations: [] });
  });

  test('changes an elected author', () => {
    given(elected('agent_a'))
      .when('appointAuthor', input, 'owner')
      .thenEvents({ kind: 'author.elected', actor: 'owner', data });
  });

  test('stores nothing if that builder is the author already', () => {
    given(elected('agent_b')).when('appointAuthor', input, 'owner').thenEvents();
  });

  test.each(['READINESS', 'VERIFY', 'RELEASE'] as const)('is refused in %s', (phase) => {
    given([inPhase(phase)])
      .when('appointAuthor', input, 'owner')
      .thenFails('INVALID_TRANSITION', { phase });
  });

  describeOwner('appointAuthor', { input, statuses: NOT_ENDED });
});
