import { describe, expect, test } from 'vitest';
import { given, openSession } from '../../src/testing/index.ts';
import { entitled, restored, stopped } from '../moderation.ts';

const DAY = 24 * 60 * 60 * 1_000;

const TOOLS = [
  'read_task',
  'read_session_state',
  'get_moderator_status',
  'get_session_events',
  'ack_events',
  'read_messages',
  'get_final_plan',
  'list_blockers',
  'verify_board',
  'list_decisions',
  'get_moderator_findings',
  'ask_agent',
  'get_moderator_questions',
  'withdraw_question',
  'submit_moderator_finding',
  'resolve_finding',
  'request_hold',
  'release_hold',
  'submit_contract_review',
  'get_contract_review',
  'recommend_to_owner',
  'complete_action',
  'wait_for_activity',
] as const;

describe('a moderator', () => {
  test.each(TOOLS)('that is stopped or not entitled is refused %s before its input is read', (tool) => {
    const call = (...past: Parameters<typeof given>[0] & object) =>
      given(past).when(tool, { nonsense: true } as never, 'moderator');
    call(stopped).thenFails('MODERATOR_STOPPED', {});
    call(entitled(false)).thenFails('MODERATOR_NOT_ENTITLED', {});
    call(stopped, entitled(false)).thenFails('MODERATOR_STOPPED', {});
    call(stopped, restored, entitled(false), entitled(true)).thenFails('INVALID_INPUT');
  });

  test("gets the first applicable refusal: unknown, revoked, expired, stopped, not entitled, then the operation's own", async () => {
    const { owner, sessionId, moderator, parley, clock } = await openSession();
    const code = () =>
      moderator.call('post_turn', { summary: 'x' }).then(
        () => 'none',
        (error: { code: string }) => error.code,
      );
    const told = [await code()];
    await owner.setModeratorEntitlement({ entitled: false });
    told.push(await code());
    await owner.stopModerator(sessionId);
    told.push(await code());
    clock.advance(DAY);
    told.push(await code());
    await owner.revoke(sessionId, { role: 'moderator' });
    told.push(await code());
    await owner.deleteSession(sessionId);
    told.push(await code());
    expect(told).toEqual([
      'MODERATOR_FORBIDDEN',
      'MODERATOR_NOT_ENTITLED',
      'MODERATOR_STOPPED',
      'TOKEN_EXPIRED',
      'TOKEN_REVOKED',
      'UNAUTHORIZED',
    ]);
    await expect(parley.agent('prt_unknown').call('read_task')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('is limited by its own token, not by the tokens of builders', async () => {
    const { owner, sessionId, moderator, parley, clock } = await openSession();
    clock.advance(DAY - 1);
    expect((await moderator.call('get_moderator_status')).expires_at).toBe('2026-01-06T09:00:00.000Z');
    const { code } = await owner.invite(sessionId, { role: 'moderator' });
    const { token } = await parley.redeem({ code });
    clock.advance(1);
    await expect(moderator.call('read_task')).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
    expect((await parley.agent(token).call('get_moderator_status')).expires_at).toBe('2026-01-07T08:59:59.999Z');
  });

  test('that redeems while it is stopped or not entitled gets a token that is refused', async () => {
    const { owner, sessionId, parley } = await openSession();
    await owner.stopModerator(sessionId);
    const { code } = await owner.invite(sessionId, { role: 'moderator' });
    const { token } = await parley.redeem({ code });
    await expect(parley.agent(token).call('read_task')).rejects.toMatchObject({ code: 'MODERATOR_STOPPED' });
    await owner.setModeratorEntitlement({ entitled: false });
    await owner.restoreModerator(sessionId);
    await expect(parley.agent(token).call('read_task')).rejects.toMatchObject({ code: 'MODERATOR_NOT_ENTITLED' });
  });
});
