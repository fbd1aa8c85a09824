import type { AgentClient, Builder } from '@parley/core';
import { evidenceOf, type Session } from './session.ts';
import type { Look } from './story.ts';

/** Both builders post turns, the owner and the moderator ask questions, and agent_a is elected. */
export async function playPlanning(session: Session, look: Look): Promise<void> {
  const { owner, sessionId, agentA, agentB, pen } = session;
  await agentA.call('post_turn', {
    ...turnOf(session, 'agent_a'),
    questions: [
      pen.write('agent_a', 'post_turn questions[]'),
      { text: pen.write('agent_a', 'post_turn questions[].text'), to: 'owner', blocking: true },
    ],
  });
  await look('first turn');
  await askAround(session);
  await look('questions asked');
  await owner.answerQuestion(sessionId, { question_id: 'q_2', text: pen.write('owner', 'answerQuestion text') });
  await agentB.call('post_turn', {
    ...turnOf(session, 'agent_b'),
    answers: [{ question_id: 'q_1', answer: pen.write('agent_b', 'post_turn answers[].answer') }],
    questions: [{ text: pen.write('agent_b', 'post_turn questions[].text'), to: 'agent', blocking: true }],
  });
  await agentA.call('post_evidence', { evidence: evidenceOf(pen, 'agent_a', 'post_evidence evidence') });
  await look('second turn');
  await agentA.call('answer_question', {
    question_id: 'q_3',
    answer: pen.write('agent_a', 'answer_question answer'),
    questions: [
      pen.write('agent_a', 'answer_question questions[]'),
      { text: pen.write('agent_a', 'answer_question questions[].text'), to: 'owner' },
    ],
  });
  await look('asked back');
  await agentB.call('answer_question', { question_id: 'q_4', answer: 'No.' });
  await owner.answerQuestion(sessionId, { question_id: 'q_5', text: 'No.' });
  await answerAll(session, 'agent_a', agentA, ['i_3']);
  await answerAll(session, 'agent_b', agentB, ['i_1', 'i_3']);
  await decide(session);
  await look('answered');
  await elect(session, look);
}

const turnOf = ({ pen }: Session, author: Builder) => {
  const text = (field: string, maxChars?: number) => pen.write(author, `post_turn ${field}`, maxChars);
  return {
    summary: text('summary'),
    verified_facts: [
      {
        claim: text('verified_facts[].claim'),
        evidence: evidenceOf(pen, author, 'post_turn verified_facts[].evidence'),
      },
    ],
    proposed_decisions: [
      {
        topic: text('proposed_decisions[].topic', 200),
        position: text('proposed_decisions[].position'),
        evidence: evidenceOf(pen, author, 'post_turn proposed_decisions[].evidence'),
      },
    ],
    concerns: [text('concerns[]')],
    next_step: text('next_step'),
    interfaces: [
      {
        name: text('interfaces[].name', 200),
        kind: text('interfaces[].kind', 60),
        description: text('interfaces[].description'),
      },
    ],
    dependencies: [text('dependencies[]')],
    safety_conditions: [text('safety_conditions[]')],
    disagreements: [text('disagreements[]')],
    followups: [{ kind: 'fault' as const, text: text('followups[].text', 2_000) }],
  };
};

async function askAround({ owner, sessionId, moderator, pen }: Session): Promise<void> {
  await owner.ask(sessionId, { targets: ['agent_b'], text: pen.write('owner', 'ask text'), blocking: true });
  await owner.direct(sessionId, { targets: ['agent_a', 'agent_b'], text: pen.write('owner', 'direct text') });
  for (const target of ['agent_a', 'agent_b', 'moderator'] as const)
    await owner.assignAction(sessionId, { target, text: pen.write('owner', 'assignAction text') });
  const followup = { side: 'agent_a', kind: 'question' } as const;
  await owner.noteFollowup(sessionId, { ...followup, text: pen.write('owner', 'noteFollowup text', 2_000) });
  await moderator.call('ask_agent', {
    text: pen.write('moderator', 'ask_agent text'),
    blocking: true,
    evidence: evidenceOf(pen, 'moderator', 'ask_agent evidence'),
  });
}

async function answerAll({ pen }: Session, author: Builder, agent: AgentClient, ids: readonly string[]): Promise<void> {
  await agent.call('ack_intervention', { intervention_id: 'i_2' });
  for (const intervention_id of ids)
    await agent.call('answer_intervention', { intervention_id, text: pen.write(author, 'answer_intervention text') });
}

/** Agents propose decisions. One decision is withdrawn, and two are rejected, one of these two in a turn. */
async function decide({ agentA, agentB, pen }: Session): Promise<void> {
  const proposal = (author: Builder) => ({
    topic: pen.write(author, 'submit_decision topic', 200),
    position: pen.write(author, 'submit_decision position'),
    evidence: evidenceOf(pen, author, 'submit_decision evidence'),
  });
  await agentA.call('submit_decision', proposal('agent_a'));
  await agentB.call('submit_decision', proposal('agent_b'));
  await agentA.call('withdraw_decision', {
    decision_id: 'd_3',
    reason: pen.write('agent_a', 'withdraw_decision reason'),
  });
  await agentA.call('reject_decision', { decision_id: 'd_4', reason: pen.write('agent_a', 'reject_decision reason') });
  await agentB.call('submit_decision', { topic: 'Another topic', position: 'Another position.' });
  const reason = pen.write('agent_a', 'post_turn answers[].reason');
  await agentA.call('post_turn', {
    summary: 'I reject d_5.',
    answers: [{ decision_id: 'd_5', decision: 'REJECT', reason }],
  });
}

async function elect({ owner, sessionId, agentA, agentB, pen }: Session, look: Look): Promise<void> {
  for (const agent of [agentA, agentB])
    for (const decision_id of ['d_1', 'd_2']) await agent.call('accept_decision', { decision_id });
  const reason = (author: Builder) => pen.write(author, 'elect_contract_author reason');
  await agentA.call('elect_contract_author', { candidate: 'agent_a', reason: reason('agent_a') });
  await agentB.call('elect_contract_author', { candidate: 'agent_b', reason: reason('agent_b') });
  await owner.pause(sessionId, { reason: pen.write('owner', 'pause reason') });
  await look('split and paused');
  await owner.resume(sessionId);
  await agentB.call('elect_contract_author', { candidate: 'agent_a', reason: reason('agent_b') });
}
