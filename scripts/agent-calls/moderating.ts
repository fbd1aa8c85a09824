import type { FixedServer } from './fixed-server.ts';
import type { Transcript } from './transcript.ts';

const SEEN = ['events.id', 'events.kind', 'events.actor', 'events.subject', 'next_cursor', 'acked_cursor'];

/**
 * Plays a moderator that joins during the review of the contract, stops the approval by a hold, and later releases the
 * hold.
 */
export async function moderate({ owner }: FixedServer, t: Transcript, sessionId: string): Promise<void> {
  t.heading('A moderator steps in');
  t.say(
    'A third agent, the moderator, has joined. It works over MCP, because `wait_for_activity` exists only there; its other calls also have REST routes.',
  );
  await t.join('moderator', (await owner.invite(sessionId, { role: 'moderator' })).code);
  await t.tool('moderator', 'get_session_events', { input: { after: 17, limit: 3 }, show: SEEN });
  await t.tool('moderator', 'submit_moderator_finding', {
    input: {
      category: 'SAFETY',
      severity: 'HIGH',
      target_agents: ['agent_b'],
      text: 'Nothing says what happens to a refund whose answer never comes.',
      resolution_criteria: 'The builders say when the shop stops asking, and who handles the refund then.',
      request_hold: true,
      hold_reason: 'A refund could stay open for ever.',
    },
    show: ['finding.finding_id', 'finding.status', 'hold.hold_id', 'hold.status'],
  });
  await t.call('agent_b', 'GET contract-blockers', {
    show: ['certified', 'blockers.code', 'blockers.responsible', 'blockers.message'],
  });
  const response = {
    finding_id: 'f_2',
    decision: 'ACCEPT',
    response: 'After a day the shop alerts support; r_2 keeps the id.',
  };
  await t.ask('agent_b', 'POST findings/respond', { body: response });
  t.say(
    'Agent B responds. The response is an event and opens an action for the moderator, so it ends the moderator’s wait:',
  );
  const { next_cursor } = await t.tool('moderator', 'wait_for_activity', {
    input: { wait_seconds: 25 },
    show: ['next_cursor', 'pending_actions'],
  });
  const input = { finding_id: 'f_2', outcome: 'RESOLVED' };
  await t.tool('moderator', 'resolve_finding', { input, show: ['finding.status', 'hold'] });
  t.say(
    'The moderator acknowledges the events that it has dealt with. If it crashed before this call, it would read them again:',
  );
  await t.tool('moderator', 'ack_events', { input: { cursor: next_cursor } });
}
