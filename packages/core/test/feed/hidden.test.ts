import { describe, expect, test } from 'vitest';
import { sessionCatalog } from '../../src/areas/catalog.ts';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { entitled, granted, restored, stopped } from '../moderation.ts';
import { actionAcknowledged, taskAssigned } from '../past.ts';

/** The events from number 6 on. None of them is visible to the moderator. */
const HIDDEN: readonly PastEvent[] = [
  {
    kind: 'invitation.created',
    actor: 'owner',
    data: {
      role: 'agent_a',
      code_hash: 'hash-of-a-code',
      code_prefix: 'pinv_secre',
      expires_at: '2026-01-12T09:00:00.000Z',
      scopes: ['read_task'],
    },
  },
  {
    kind: 'invitation.redeemed',
    actor: 'agent_a',
    data: {
      role: 'agent_a',
      code_hash: 'hash-of-a-code',
      token_hash: 'hash-of-a-token',
      token_prefix: 'prt_secret',
      expires_at: '2026-01-06T09:00:00.000Z',
      scopes: ['read_task'],
    },
  },
  { kind: 'access.revoked', actor: 'owner', data: { role: 'agent_b' } },
  stopped,
  restored,
  granted('ask'),
  entitled(false),
  entitled(true),
  {
    kind: 'approval.given',
    actor: 'owner',
    data: { stage: 'approval', revision_id: 'r_1', content_hash: 'f'.repeat(64) },
  },
  { kind: 'events.acknowledged', actor: 'moderator', data: { cursor: 5 } },
  {
    kind: 'change.linked',
    actor: 'owner',
    data: { role: 'agent_a', forge: 'github', api: 'https://api.github.com', repository: 'o/r', new_token: true },
  },
  {
    kind: 'status.reported',
    actor: 'system',
    data: {
      ...{ role: 'agent_a', context: 'contract', commit: 'a'.repeat(40), state: 'pending' },
      ...{ description: 'Nothing is approved.', result: 'posted' },
    },
  },
  { kind: 'change.unlinked', actor: 'owner', data: { role: 'agent_a' } },
  { kind: 'notice.delivered', actor: 'system', data: { wait_id: 'QUESTION:q_1', number: 1, unbroken: true } },
  taskAssigned('act_1', 'agent_a'),
  actionAcknowledged('agent_a', 'act_1'),
  { kind: 'action.fulfilled', actor: 'system', data: { action_id: 'act_1', due_to: 'agent_a' } },
  taskAssigned('act_2', 'agent_a'),
  { kind: 'action.settled', actor: 'agent_a', data: { action_id: 'act_2', due_to: 'agent_a', type: 'BUILD_TASK' } },
  {
    kind: 'reading.recorded',
    actor: 'owner',
    data: { revision_id: 'r_1', sections: [{ section: 'scope', sha256: 'a'.repeat(64) }], reader: 'owner' },
  },
];

describe('what the moderator may not see', () => {
  test('includes all these kinds', () => {
    const owners = Object.entries(sessionCatalog).flatMap(([kind, { seenBy }]) => (seenBy === 'owner' ? [kind] : []));
    const tried = new Set(HIDDEN.map(({ kind }) => kind));
    expect(owners.filter((kind) => !tried.has(kind as PastEvent['kind']))).toEqual(['session.created']);
  });

  test('is in no page of the feed, and no cursor points at it', () => {
    given(HIDDEN)
      .when('get_session_events', { after: 0 }, 'moderator')
      .thenReply({
        events: [
          {
            id: 5,
            at: '2026-01-05T09:00:00.000Z',
            kind: 'session.started',
            actor: 'owner',
            subject: { type: 'session', id: 'SessionOfTheGivenTests' },
            data: {},
          },
        ],
        next_cursor: 5,
        acked_cursor: 5,
        head: 5,
      });
  });

  test('is in no page of the transcript, and moves no cursor of the state', () => {
    const session = given(HIDDEN);
    expect(session.when('read_messages', { after: 5 }, 'moderator').reply()).toEqual({
      messages: [],
      next_cursor: 5,
      more: false,
    });
    expect(session.when('read_session_state', {}, 'moderator').reply()).toMatchObject({
      cursor: 5,
      pending_actions: [],
    });
  });

  test('does not move the head in a session that has not started', () => {
    given(HIDDEN.slice(0, 3), { isStarted: false })
      .when('get_session_events', {}, 'moderator')
      .thenReply({ events: [], next_cursor: 0, acked_cursor: 0, head: 0 });
  });
});
