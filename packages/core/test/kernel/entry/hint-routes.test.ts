import { describe, expect, test } from 'vitest';
import { openWorld } from '../support/world.ts';

describe('the hint of a refusal', () => {
  test('has over REST the route beside the first mention of each tool', async () => {
    const { here, tokenA } = await openWorld();
    const { body } = await here.send('POST decisions/accept', { token: tokenA, body: { decision_id: 'd_9' } });
    expect(body).toMatchObject({
      error: 'UNKNOWN_RECORD',
      hint: 'Use an id that a read of this session shows, such as list_decisions (GET decisions), list_findings (GET findings), verify_board (GET verify/board) or read_session_state (GET state). Ids of records that you may not see are refused too.',
    });
  });

  test('has over REST the route that the role of the caller has', async () => {
    const { here, invite } = await openWorld();
    const token = await invite('moderator');
    const { body } = await here.send('POST turns', { token });
    expect(body).toMatchObject({
      error: 'MODERATOR_FORBIDDEN',
      hint: 'This call is for builders. Use the tools of a moderator; get_moderator_status (GET moderator/status) says what you may do.',
    });
  });

  test('names a route once, also if the text has it already', async () => {
    const { here, tokenA } = await openWorld();
    const { body } = await here.send('GET nowhere', { token: tokenA });
    expect(body.hint).toBe(
      'Call read_task (GET task), which says how to work in this session. Over REST, read_session_state (GET state) names the route of your next call in instruction.',
    );
  });

  test('has no routes for tools of MCP', async () => {
    const { here, tokenA } = await openWorld();
    const { callTool } = await here.admit(tokenA);
    await expect(callTool('accept_decision', { decision_id: 'd_9' })).rejects.toMatchObject({
      code: 'UNKNOWN_RECORD',
      details: { record: { type: 'decision', id: 'd_9' } },
    });
    const refused = await callTool('accept_decision', { decision_id: 'd_9' }).catch((error: unknown) => error);
    expect(Object(refused).body().hint).toContain(
      'such as list_decisions, list_findings, verify_board or read_session_state.',
    );
  });
});
