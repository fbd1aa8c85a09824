import type { AgentClient } from '../../src/index.ts';

/** The readiness questions of a builder, and the values of the manifest that its report repeats. */
export async function askedOf(agent: AgentClient) {
  const { questions, ...frozen } = await agent.call('get_readiness_questions');
  const repeated = {
    revision_id: frozen.revision_id ?? '',
    content_hash: frozen.content_hash ?? '',
    handshake_sha256: frozen.handshake_sha256 ?? '',
    shared_contract_sha256: frozen.shared_contract_sha256 ?? '',
    fixture_version: frozen.fixture_version ?? '',
  };
  return { questions, repeated };
}
