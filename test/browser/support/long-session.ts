import type { AgentClient, Owner, Parley } from '@parley/core';
import { joinSession } from '../../support/join-session.ts';

const TURNS = 1_000;
const EVIDENCE_PER_TURN = 4;
const REVISIONS = 100;

const SESSION = {
  title: 'A year of work',
  objective: 'Everything that two agents said to each other in a year, on one page.',
  requirements: [{ requirement_id: 'req-1', text: 'The page opens all the same.' }],
  round_limit: 100,
};
const SENTENCE = 'The capture is stored before the first call, and the ledger keeps the key for as long as the entry. ';

/** Plays a session of more than 5,000 events. The session stays in PLANNING, where agent_a has the next turn. */
export async function playTurns(parley: Parley, owner: Owner): Promise<{ sessionId: string; agents: AgentClient[] }> {
  const { sessionId, tokens } = await joinSession({ parley, owner }, { session: SESSION, withModerator: false });
  const agents = [parley.agent(tokens.agent_a), parley.agent(tokens.agent_b)];
  await owner.extendRounds(sessionId, { rounds: TURNS / 2 - 90 });
  for (let turn = 0; turn < TURNS; turn += 1) await speak(agents[turn % 2], turn);
  return { sessionId, agents };
}

/** Plays a session of more than 5,000 events and 100 revisions of its contract. */
export async function playLong(parley: Parley, owner: Owner): Promise<{ sessionId: string; events: number }> {
  const { sessionId, agents } = await playTurns(parley, owner);
  for (const agent of agents)
    await agent.call('elect_contract_author', { candidate: 'agent_a', reason: 'It knows most.' });
  await revise(agents[0]);
  await owner.direct(sessionId, { targets: ['agent_a'], text: 'The last word.' });
  return { sessionId, events: (await owner.view(sessionId)).head.seq };
}

async function speak(agent: AgentClient | undefined, turn: number): Promise<void> {
  await agent?.call('post_turn', { summary: `Turn ${turn}. ${SENTENCE.repeat(1 + (turn % 5))}`, next_step: SENTENCE });
  for (let item = 0; item < EVIDENCE_PER_TURN; item += 1)
    await agent?.call('post_evidence', {
      evidence: [{ kind: 'file', reference: `src/capture.ts:${turn}-${item}`, excerpt: SENTENCE }],
    });
}

async function revise(author: AgentClient | undefined): Promise<void> {
  for (let revision = 0; revision < REVISIONS; revision += 1)
    await author?.call('submit_contract', {
      contract: { title: `Contract, as of revision ${revision + 1}`, summary: SENTENCE.repeat(revision % 10) },
      expected_parent_id: revision === 0 ? '' : `r_${revision}`,
      reason: 'One thing more.',
    });
}
