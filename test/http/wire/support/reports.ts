import type { AgentClient } from '@parley/core';
import { STOCK_HASH } from './stock-contract.ts';

export async function rightReport(agent: AgentClient) {
  const { manifest } = await agent.call('list_artifacts', {});
  const answers = ['As the contract says.', 'None is easy to break.'];
  return {
    revision_id: 'r_1',
    content_hash: STOCK_HASH,
    verdict: 'READY_TO_CODE' as const,
    handshake_sha256: manifest?.handshake_sha256 ?? '',
    shared_contract_sha256: manifest?.shared_contract_sha256 ?? '',
    fixture_version: '1',
    answers: answers.map((answer, index) => ({ question_id: `rq_${index + 1}`, answer })),
  };
}

/** Confirms the answers of the other builder. A light session does not ask for it. */
export async function confirmAnswers(agent: AgentClient): Promise<void> {
  const { to_confirm } = await agent.call('get_readiness_questions', {});
  if (to_confirm?.action_id) await agent.call('complete_action', { action_id: to_confirm.action_id });
}
