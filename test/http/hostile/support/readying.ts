import type { AgentClient, Builder } from '@parley/core';
import { seenIn } from '@parley/core/testing';
import type { Session } from './session.ts';
import type { Look } from './story.ts';

/** agent_a first reports BLOCKED. Then both builders become ready, and the build is authorized. */
export async function playReadiness(session: Session, look: Look): Promise<void> {
  const { owner, sessionId, agentA, agentB, pen } = session;
  await agentA.call('submit_readiness', blockedReport(session));
  await look('blocked');
  await owner.stopModerator(sessionId, { reason: pen.write('owner', 'stopModerator reason') });
  await owner.restoreModerator(sessionId);
  await report(session, 'agent_a', agentA);
  await report(session, 'agent_b', agentB);
  await look('ready');
  for (const agent of [agentA, agentB]) {
    const { to_confirm } = await agent.call('get_readiness_questions', {});
    await agent.call('complete_action', { action_id: to_confirm?.action_id ?? '' });
  }
  await owner.authorize(sessionId, {
    stage: 'build',
    note: pen.write('owner', 'authorize note'),
    seen: await seenIn(owner, sessionId),
  });
  const { actions } = await agentA.call('poll_actions', {});
  const task = actions.find(({ type }) => type === 'BUILD_TASK');
  const note = pen.write('agent_a', 'complete_action note', 200);
  await agentA.call('complete_action', { action_id: task?.action_id ?? '', note });
}

function blockedReport({ pen }: Session) {
  const text = (field: string, maxChars?: number) => pen.write('agent_a', `submit_readiness ${field}`, maxChars);
  return {
    ...{ revision_id: 'r_4', content_hash: text('content_hash', 100), verdict: 'BLOCKED' as const },
    handshake_sha256: text('handshake_sha256', 100),
    shared_contract_sha256: text('shared_contract_sha256', 100),
    fixture_version: text('fixture_version', 200),
    answers: [{ question_id: 'rq_1', answer: text('answers[].answer') }],
    blockers: [text('blockers[]')],
  };
}

async function report({ pen, fixtureVersion }: Session, builder: Builder, agent: AgentClient): Promise<void> {
  const { artifacts, manifest } = await agent.call('list_artifacts', {});
  for (const { filename, sha256 } of artifacts) await agent.call('confirm_receipt', { filename, sha256 });
  const { questions } = await agent.call('get_readiness_questions', {});
  const answerOf = () => pen.write(builder, 'submit_readiness answers[].answer');
  await agent.call('submit_readiness', {
    ...{ revision_id: 'r_4', content_hash: manifest?.content_hash ?? '', verdict: 'READY_TO_CODE' },
    handshake_sha256: manifest?.handshake_sha256 ?? '',
    shared_contract_sha256: manifest?.shared_contract_sha256 ?? '',
    fixture_version: fixtureVersion,
    answers: questions.map(({ question_id }) => ({ question_id, answer: answerOf() })),
  });
}
