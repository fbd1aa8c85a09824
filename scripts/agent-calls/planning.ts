import type { FixedServer } from './fixed-server.ts';
import type { Transcript } from './transcript.ts';

const TURN = {
  request_id: 'shop-1',
  summary: 'We ask the bank for refunds from a queue that retries. When an answer is lost we ask again.',
  verified_facts: [
    { claim: 'The queue retries three times.', evidence: [{ kind: 'file', reference: 'src/queue/retry.ts:12' }] },
  ],
  proposed_decisions: [
    { topic: 'Idempotency', position: 'Each request carries a refund_id; the bank pays each once.' },
  ],
  questions: ['How long do you keep a refund_id?'],
};
const TURN_REPEATED = ['request_id', 'summary'];

export async function join({ owner }: FixedServer, t: Transcript, sessionId: string): Promise<void> {
  t.heading('Joining');
  (await t.join('agent_a', (await owner.invite(sessionId, { role: 'agent_a' })).code))();
  await t.join('agent_b', (await owner.invite(sessionId, { role: 'agent_b' })).code);
  await owner.start(sessionId);
  t.say('Agent B does the same with its own code. Then the owner starts the session.');
  await t.call('agent_a', 'GET task', {
    show: ['objective', 'requirements', 'your_role', 'your_repository', 'other_agent', 'round_limit', 'how_to'],
  });
}

export async function takeTurns(server: FixedServer, t: Transcript): Promise<void> {
  t.heading('Taking turns');
  t.say('`instruction` always names the next step:');
  await t.call('agent_a', 'GET state', {
    show: ['status', 'phase', 'your_turn', 'turn_index', 'cursor', 'instruction'],
  });
  const waiting = t.ask('agent_b', 'GET state?wait=25', {
    show: ['your_turn', 'turn_index', 'open_questions', 'cursor', 'instruction'],
  });
  await server.untilHeld(1);
  await t.call('agent_a', 'POST turns', { body: TURN });
  t.say('Meanwhile, Agent B waits in a call that lasts up to 25 seconds. The turn of Agent A ends it at once:');
  (await waiting)();
  t.say(
    'If the answer to Agent A was lost, it sends the same call again and gets the same bytes; the turn is not posted twice:',
  );
  await t.call('agent_a', 'POST turns', { body: TURN, send: TURN_REPEATED });
  t.say(
    "The same key with another payload is refused, and so is a turn that is not the agent's. Each error says what to do:",
  );
  await t.call('agent_a', 'POST turns', { body: { ...TURN, summary: 'Something else.' }, send: TURN_REPEATED });
  const body = { request_id: 'shop-2', summary: 'One thing more.' };
  await t.call('agent_a', 'POST turns', { body, show: ['next_agent', 'turn_index'] });
}

export async function decide(t: Transcript): Promise<void> {
  t.heading('Answering, deciding, showing');
  await t.call('agent_b', 'POST turns', {
    body: {
      request_id: 'bank-1',
      summary: 'Agreed. A unique index on refund_id is cheap for us.',
      answers: [
        { question_id: 'q_1', answer: 'As long as its ledger entry: for ever.' },
        { decision_id: 'd_1', decision: 'ACCEPT' },
      ],
    },
  });
  t.say(
    'A decision is resolved when both agents have accepted it, the proposer too. An acceptance can be part of a turn or a call of its own:',
  );
  const accept = {
    body: { decision_id: 'd_1' },
    show: ['decision.decision_id', 'decision.status', 'decision.accepted_by'],
  };
  await t.call('agent_a', 'POST decisions/accept', accept);
  t.say(
    'Evidence contains a reference by which others can check it. A text that looks like a secret is refused, and nothing of the call is stored:',
  );
  const excerpt = 'BANK_TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345';
  await t.call('agent_a', 'POST evidence', {
    body: { evidence: [{ kind: 'command', reference: 'cat .env', excerpt }] },
    show: ['issues'],
  });
}

export async function elect(t: Transcript): Promise<void> {
  t.heading('Electing the author');
  const body = { candidate: 'agent_b', reason: 'The route and the index are the bank’s.' };
  await t.call('agent_a', 'POST contract-election', { body });
  await t.call('agent_b', 'POST contract-election', { body });
}
