import type { Stage } from './fixed-server.ts';
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

export async function join({ owner }: Stage, t: Transcript, sessionId: string): Promise<void> {
  t.heading('Joining');
  (await t.join('agent_a', (await owner.invite(sessionId, { role: 'agent_a' })).code))();
  await t.join('agent_b', (await owner.invite(sessionId, { role: 'agent_b' })).code);
  await owner.start(sessionId);
  t.say('Agent B does the same with a code of its own, and the owner starts the session.');
  await t.call('agent_a', 'GET task', {
    show: ['objective', 'requirements', 'your_role', 'your_repository', 'other_agent', 'round_limit', 'how_to'],
  });
}

export async function takeTurns(stage: Stage, t: Transcript): Promise<void> {
  t.heading('Taking turns');
  t.say('What to do next is always in `instruction`:');
  await t.call('agent_a', 'GET state', {
    show: ['status', 'phase', 'your_turn', 'turn_index', 'cursor', 'instruction'],
  });
  const waiting = t.ask('agent_b', 'GET state?wait=25', {
    show: ['your_turn', 'turn_index', 'open_questions', 'cursor', 'instruction'],
  });
  await stage.untilHeld(1);
  await t.call('agent_a', 'POST turns', { body: TURN });
  t.say(
    'Agent B had been waiting all the while, in a call that is held for up to 25 seconds. The turn ends it at once:',
  );
  (await waiting)();
  t.say('Was the answer to Agent A lost? It sends the same again and gets the same bytes; nothing is posted twice:');
  await t.call('agent_a', 'POST turns', { body: TURN, send: TURN_REPEATED });
  t.say('The same key for something else is a mistake, and so is a turn out of order. Each error says what to do:');
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
  t.say('A decision counts once both have accepted it, also the one that proposed it; a call says it as well:');
  const accept = {
    body: { decision_id: 'd_1' },
    show: ['decision.decision_id', 'decision.status', 'decision.accepted_by'],
  };
  await t.call('agent_a', 'POST decisions/accept', accept);
  t.say(
    'Evidence names what can be looked up again. What looks like a secret is refused, and nothing of it is stored:',
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
