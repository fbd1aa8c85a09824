import type { Owner, Parley } from '@parley/core';
import { seenIn } from '@parley/core/testing';
import { contractOf, hashOf, MAPPINGS } from '../../../reliability/processes/support/contracts.ts';
import { type Joined, joinSession, SESSION } from '../../../support/join-session.ts';

const PROGRESS = ['planning', 'contract', 'readiness', 'moderation', 'verification'] as const;

const BUILDERS = ['agent_a', 'agent_b'] as const;

/**
 * Creates a session that is in one of the states of `PROGRESS`. The states are used in rotation; `turn` counts the
 * sessions.
 */
export async function openSample(parley: Parley, owner: Owner, turn: number): Promise<Joined> {
  const joined = await joinSession({ parley, owner }, { session: MAPPED });
  const progress = PROGRESS[turn % PROGRESS.length];
  if (progress === 'planning') return joined;
  await writeContract(parley, joined);
  if (progress === 'moderation') await moderate(parley, joined);
  if (progress === 'contract' || progress === 'moderation') return joined;
  await owner.approveContract(joined.sessionId, {
    revision_id: 'r_1',
    content_hash: hashOf(FIRST),
    seen: await seenIn(owner, joined.sessionId),
  });
  if (progress === 'readiness') return joined;
  for (const builder of BUILDERS) await reportReady(parley, joined, builder);
  for (const builder of BUILDERS) await confirmAnswers(parley, joined, builder);
  await owner.authorize(joined.sessionId, { stage: 'build', seen: await seenIn(owner, joined.sessionId) });
  return joined;
}

/** A session with the requirement that `MAPPINGS` names. */
const MAPPED = { ...SESSION, requirements: [{ requirement_id: 'req-1', text: 'A page never repeats a product.' }] };

const FIRST = contractOf('The first', { fixture_version: '1' });

/** agent_a submits a contract and its mappings. Both builders approve it. */
async function writeContract(parley: Parley, { tokens }: Joined): Promise<void> {
  const agents = BUILDERS.map((builder) => parley.agent(tokens[builder]));
  for (const agent of agents) await agent.call('elect_contract_author', { candidate: 'agent_a', reason: 'Knows it.' });
  const author = parley.agent(tokens.agent_a);
  await author.call('submit_contract', { contract: FIRST, expected_parent_id: '', reason: 'The first.' });
  await author.call('submit_preflight', { mappings: MAPPINGS });
  const verdict = { revision_id: 'r_1', content_hash: hashOf(FIRST), verdict: 'APPROVE' } as const;
  for (const agent of agents) await agent.call('submit_final_review', verdict);
}

/**
 * The moderator asks a question, which agent_a answers, and raises a finding with a hold and a finding without a hold.
 */
async function moderate(parley: Parley, { tokens }: Joined): Promise<void> {
  const moderator = parley.agent(tokens.moderator);
  await moderator.call('ask_agent', { text: 'Who reads the level?' });
  await parley.agent(tokens.agent_a).call('answer_intervention', { intervention_id: 'i_1', text: 'The shop.' });
  const finding = { category: 'SCOPE', text: 'No limit is named.', resolution_criteria: 'One is.' } as const;
  await moderator.call('submit_moderator_finding', { ...finding, request_hold: true, hold_reason: 'It is large.' });
  await moderator.call('submit_moderator_finding', { ...finding, text: 'No lower limit either.' });
}

async function reportReady(parley: Parley, { tokens }: Joined, builder: (typeof BUILDERS)[number]): Promise<void> {
  const agent = parley.agent(tokens[builder]);
  const { artifacts, manifest } = await agent.call('list_artifacts', {});
  for (const { filename, sha256 } of artifacts) await agent.call('confirm_receipt', { filename, sha256 });
  const { questions } = await agent.call('get_readiness_questions', {});
  await agent.call('submit_readiness', {
    ...{ revision_id: 'r_1', content_hash: hashOf(FIRST), verdict: 'READY_TO_CODE', fixture_version: '1' },
    handshake_sha256: manifest?.handshake_sha256 ?? '',
    shared_contract_sha256: manifest?.shared_contract_sha256 ?? '',
    answers: questions.map(({ question_id }) => ({ question_id, answer: 'As the contract says.' })),
  });
}

async function confirmAnswers(parley: Parley, { tokens }: Joined, builder: (typeof BUILDERS)[number]): Promise<void> {
  const agent = parley.agent(tokens[builder]);
  const { to_confirm } = await agent.call('get_readiness_questions', {});
  await agent.call('complete_action', { action_id: to_confirm?.action_id ?? '' });
}
