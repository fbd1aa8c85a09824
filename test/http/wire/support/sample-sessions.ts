import { seenIn } from '@parley/core/testing';
import { type Inside, type Joined, joinAs, joinSession, MARK, SESSION } from '../../../support/join-session.ts';
import { profileOfFile } from '../../../support/profile-of-file.ts';
import { progressFor } from './good-requests.ts';
import { confirmAnswers, rightReport } from './reports.ts';
import type { Kind } from './specification.ts';
import { STOCK_CONTRACT, STOCK_HANDSHAKE, STOCK_HASH, STOCK_MAPPINGS } from './stock-contract.ts';

/**
 * How far a session has been played:
 *
 * - `planned`: A has the turn, and d_1 is A's decision.
 * - `written by …`: r_1 exists, and the reviewer has raised f_1.
 * - `moderated`: like `written by A`; the moderator has asked i_2, raised f_2 (with the hold h_1 and a response) and f_3, and
 *   reviewed r_1.
 * - `approved`: the manifest of r_1 is frozen.
 * - `built`: each builder has started an attempt.
 * - `failed`: B's attempt has failed because of a defect of A, and A has declared another commit.
 */
export type Progress = 'planned' | 'written by A' | 'written by B' | 'moderated' | 'approved' | 'built' | 'failed';

type Author = 'agent_a' | 'agent_b';

const BUILDERS: readonly Author[] = ['agent_a', 'agent_b'];

/** A session in which `tool` succeeds for agent_a, or for the moderator if `kind` is `moderator`. */
export const stockSession = (service: Inside, tool: string | null = null, kind: Kind = 'builder'): Promise<Joined> =>
  openAt(service, progressFor(tool, kind));

export async function openAt(service: Inside, progress: Progress): Promise<Joined> {
  const joined = await joinSession(service, { session: { ...SESSION, profile: profileOfFile() } });
  await plan(service, joined);
  if (progress === 'planned') return joined;
  const author = progress === 'written by B' ? 'agent_b' : 'agent_a';
  await write(service, joined, author);
  if (progress.startsWith('written') || progress === 'moderated') {
    await raiseFinding(service, joined.tokens[author === 'agent_a' ? 'agent_b' : 'agent_a']);
    if (progress === 'moderated') await moderate(service, joined);
    return joined;
  }
  await approve(service, joined);
  if (progress !== 'approved') await build(service, joined);
  if (progress === 'failed') await failAttempt(service, joined);
  return joined;
}

async function plan({ parley, owner }: Inside, { sessionId, tokens }: Joined): Promise<void> {
  const [agentA, agentB] = [parley.agent(tokens.agent_a), parley.agent(tokens.agent_b)];
  await agentA.call('post_turn', { summary: `Offsets hurt ${MARK}.` });
  await agentB.call('post_turn', { summary: `So do joins on ${MARK}.`, questions: [`Is ${MARK} indexed?`] });
  await agentA.call('submit_decision', { topic: `${MARK} cursor`, position: 'An opaque text.' });
  await agentB.call('submit_decision', { topic: `${MARK} order`, position: 'By id.' });
  await owner.ask(sessionId, { targets: ['agent_a'], text: `Does ${MARK} cost more?` });
  await owner.assignAction(sessionId, { target: 'agent_a', text: `Measure ${MARK}.` });
}

async function write(service: Inside, joined: Joined, author: Author): Promise<void> {
  for (const builder of BUILDERS) {
    const agent = service.parley.agent(joined.tokens[builder]);
    for (const decision_id of ['d_1', 'd_2']) await agent.call('accept_decision', { decision_id });
    await agent.call('elect_contract_author', { candidate: author, reason: `Knows ${MARK}.` });
  }
  const writer = service.parley.agent(joined.tokens[author]);
  const reason = `As decided for ${MARK}.`;
  await writer.call('submit_contract', { contract: STOCK_CONTRACT, expected_parent_id: '', reason });
  await writer.call('submit_preflight', { mappings: [...STOCK_MAPPINGS] });
}

const raiseFinding = ({ parley }: Inside, reviewer: string): Promise<unknown> =>
  parley.agent(reviewer).call('submit_finding', { text: `No ${MARK} page has a limit.` });

async function moderate({ parley }: Inside, { tokens }: Joined): Promise<void> {
  const [moderator, author] = [parley.agent(tokens.moderator), parley.agent(tokens.agent_a)];
  await moderator.call('ask_agent', { text: `How long does a ${MARK} cursor live?` });
  const finding = {
    category: 'SCOPE' as const,
    resolution_criteria: `The ${MARK} limit is written down.`,
    target_agents: ['agent_a' as const],
  };
  await moderator.call('submit_moderator_finding', {
    ...{ ...finding, text: `${MARK} has no limit.`, request_hold: true, hold_reason: `No ${MARK} limit.` },
  });
  await moderator.call('submit_moderator_finding', { ...finding, text: `${MARK} has no lower limit either.` });
  await moderator.call('submit_contract_review', {
    ...{ revision_id: 'r_1', content_hash: STOCK_HASH, verdict: 'COMMENT', summary: `${MARK} stands.`, dimensions: [] },
  });
  await author.call('respond_finding', { finding_id: 'f_2', decision: 'ACCEPT', response: `${MARK} will get one.` });
}

async function approve({ parley, owner }: Inside, { sessionId, tokens }: Joined): Promise<void> {
  const named = { revision_id: 'r_1', content_hash: STOCK_HASH };
  for (const builder of BUILDERS)
    await parley.agent(tokens[builder]).call('submit_final_review', { ...named, verdict: 'APPROVE' });
  await owner.approveContract(sessionId, { ...named, seen: await seenIn(owner, sessionId) });
}

async function build(service: Inside, joined: Joined): Promise<void> {
  for (const builder of BUILDERS) await reportReady(service, joined, builder);
  for (const builder of BUILDERS) await confirmAnswers(service.parley.agent(joined.tokens[builder]));
  await service.owner.authorize(joined.sessionId, {
    stage: 'build',
    seen: await seenIn(service.owner, joined.sessionId),
  });
  for (const builder of BUILDERS) {
    const agent = service.parley.agent(joined.tokens[builder]);
    await agent.call('verify_handshake', STOCK_HANDSHAKE);
  }
  for (const [builder, scenario_id] of SCENARIOS)
    await service.parley.agent(joined.tokens[builder]).call('verify_start_attempt', { scenario_id });
}

const SCENARIOS = [
  ['agent_a', 'test-pages'],
  ['agent_b', 'test-empty'],
] as const;

/** The builder confirms every artifact and submits a correct report. */
async function reportReady({ parley }: Inside, { tokens }: Joined, builder: Author): Promise<void> {
  const agent = parley.agent(tokens[builder]);
  const { artifacts } = await agent.call('list_artifacts', {});
  for (const { filename, sha256 } of artifacts) await agent.call('confirm_receipt', { filename, sha256 });
  await agent.call('submit_readiness', await rightReport(agent));
}

async function failAttempt({ parley }: Inside, { tokens }: Joined): Promise<void> {
  const agentA = parley.agent(tokens.agent_a);
  await agentA.call('verify_verify', { scenario_id: 'test-empty', attempt: 1, verdict: 'FAIL', note: `No ${MARK}.` });
  await agentA.call('verify_handshake', { ...STOCK_HANDSHAKE, commit: 'decaf02' });
}

/** Invites every role again and redeems the codes, which ends the earlier tokens. */
export async function replaceTokens({ owner, parley }: Inside, { sessionId }: Joined): Promise<void> {
  for (const role of ['agent_a', 'agent_b', 'moderator'] as const) await joinAs({ owner, parley }, sessionId, role);
}
