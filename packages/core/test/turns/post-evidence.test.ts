import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { turnPosted } from '../past.ts';

const evidence = [{ kind: 'command' as const, reference: 'npm test', excerpt: '12 passed', sha256: 'a'.repeat(64) }];
const turn = turnPosted('agent_a', 0);

describe('post_evidence', () => {
  test('appends evidence to the latest turn of the caller', () => {
    given([turn, turnPosted('agent_b', 1), turnPosted('agent_a', 2)])
      .when('post_evidence', { evidence }, 'agent_a')
      .thenEvents({ kind: 'evidence.posted', actor: 'agent_a', data: { turn_index: 2, evidence } })
      .thenReply({ message_id: 9, turn_index: 2, count: 1 });
  });

  test('works while the other agent has the turn, and uses none', () => {
    given([turn]).when('post_evidence', { evidence }, 'agent_a').thenReply({ message_id: 7, turn_index: 0, count: 1 });
  });

  test('adds another item each time', () => {
    const again = { kind: 'evidence.posted', actor: 'agent_a', data: { turn_index: 0, evidence } } as const;
    given([turn, again]).when('post_evidence', { evidence }, 'agent_a').thenEvents(again);
  });

  test('is refused before the first turn of the caller', () => {
    given([turn]).when('post_evidence', { evidence }, 'agent_b').thenFails('NO_TURN_YET');
  });

  test('accepts an excerpt of 600 characters', () => {
    const item = { kind: 'log' as const, reference: 'app.log', excerpt: 'x'.repeat(600) };
    given([turn])
      .when('post_evidence', { evidence: [item] }, 'agent_a')
      .reply();
  });

  test.each([
    ['an excerpt of 601 characters', { kind: 'log', reference: 'app.log', excerpt: 'x'.repeat(601) }, 'excerpt'],
    ['an unknown kind', { kind: 'rumour', reference: 'app.log' }, 'kind'],
    ['no reference', { kind: 'log' }, 'reference'],
    ['a checksum of another form', { kind: 'log', reference: 'app.log', sha256: 'A'.repeat(64) }, 'sha256'],
  ])('refuses %s, naming the member', (_what, item, member) => {
    const refusal = given([turn])
      .when('post_evidence', { evidence: [item as (typeof evidence)[0]] }, 'agent_a')
      .refusal();
    expect(refusal).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path: `evidence[0].${member}` }] });
  });

  test('refuses a call without evidence', () => {
    given([turn]).when('post_evidence', { evidence: [] }, 'agent_a').thenFails('INVALID_INPUT');
  });
});
