import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../describe-access.ts';
import { turnPosted } from '../past.ts';
import { play } from '../story.ts';

const raise = { role: 'agent_a', quota: 'events' } as const;
const turns = (count: number): PastEvent[] => Array.from({ length: count }, (_, index) => turnPosted('agent_a', index));

describe('raise_quota', () => {
  test('adds the initial amount', () => {
    given()
      .when('raiseQuota', { role: 'agent_b', quota: 'revisions' }, 'owner')
      .thenEvents({ kind: 'quota.raised', actor: 'owner', data: { role: 'agent_b', quota: 'revisions', limit: 1_000 } })
      .thenReply({ quota: { role: 'agent_b', quota: 'revisions', used: 0, limit: 1_000, most: 2_000 } });
  });

  test('adds enough that something is left', () => {
    const past = turns(6);
    const raised = play(past, [['owner', 'raiseQuota', raise]], { quotas: { events: 3 } });
    given(raised, { quotas: { events: 3 } })
      .when('post_evidence', { evidence: [{ kind: 'file', reference: 'a.ts' }] }, 'agent_a')
      .reply();
  });

  test('raises a quota up to four times its initial amount', () => {
    const quotas = { events: 3 };
    const three = play(
      [],
      [1, 2, 3].map(() => ['owner', 'raiseQuota', raise] as const),
      { quotas },
    );
    expect(given(three, { quotas }).when('view', {}, 'owner').reply().quotas[1]).toMatchObject({ limit: 12, most: 12 });
    given(three, { quotas }).when('raiseQuota', raise, 'owner').thenFails('LIMIT_EXCEEDED', {
      limit: 12,
      hint: 'Ask the agent to make no more writes that count for this quota, or end the session.',
    });
  });

  test('changes no other quota', () => {
    const quotasOf = (past: readonly PastEvent[]) => given(past).when('view', {}, 'owner').reply().quotas;
    const before = quotasOf([]);
    const after = quotasOf(play([], [['owner', 'raiseQuota', raise]]));
    const changed = after.filter(({ limit }, index) => limit !== before[index]?.limit);
    expect(changed).toMatchObject([{ ...raise, limit: 32_000 }]);
  });

  test('allows the agent to write again, and informs the agent', () => {
    const quotas = { events: 2 };
    const past = play(turns(1), [['owner', 'raiseQuota', raise]], { quotas });
    const { messages } = given(past, { quotas }).when('read_messages', { after: 6 }, 'agent_a').reply();
    expect(messages).toMatchObject([{ kind: 'quota.raised', from: 'owner', body: { role: 'agent_a', limit: 4 } }]);
    given(past, { quotas })
      .when('post_evidence', { evidence: [{ kind: 'file', reference: 'a.ts' }] }, 'agent_a')
      .reply();
  });

  describeOwner('raiseQuota', { input: raise, statuses: NOT_ENDED });
});
