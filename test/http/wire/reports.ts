import type { AgentCalls } from '@parley/core';
import { STOCK_HASH } from './stock-contract.ts';

/** The correct answers of each builder to rq_1 to rq_5 of the stock contract, as its handoff contains them. */
const EXACT = {
  agent_a: ['task-a', 'none', 'saffron-api', 'test-pages', '1'],
  agent_b: ['task-b', 'saffron-api', 'none', 'test-empty', '1'],
} as const;

/** A correct readiness report on the stock contract. */
export async function rightReport(agent: AgentCalls, builder: keyof typeof EXACT) {
  const { manifest } = await agent.call('list_artifacts', {});
  const name = `handoff-${builder.replace('_', '-')}.md`;
  const handoff = manifest?.artifacts.find(({ filename }) => filename === name)?.sha256 ?? '';
  const answers = [...EXACT[builder], handoff, 'The first one.', 'None is easy to break.'];
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
