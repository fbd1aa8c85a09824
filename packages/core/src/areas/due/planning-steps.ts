import { type Builder, otherBuilder } from '../../kernel/roles.ts';
import { acceptancesDue } from '../decisions/rules.ts';
import { followerInSplit } from '../election/rules.ts';
import type { SessionState } from '../state.ts';
import { hasConverged, hasTurnsLeft, nextAgent } from '../turns/rules.ts';
import { type Step, say } from './step.ts';

/** The step of a builder in PLANNING. The first of the four functions that returns a step decides. */
export const planningStep = (state: SessionState, role: Builder): Step =>
  electionStep(state, role) ?? turnStep(state, role) ?? acceptanceStep(state, role) ?? nominationStep(state, role);

const nomination = (candidate = '<agent_a or agent_b>') => ({ candidate, reason: '<your reason>' });

/** The input of a nomination. Names the candidate of the other builder, if that builder has nominated one. */
const ownNomination = ({ election }: SessionState, role: Builder) =>
  nomination(election.nominations[otherBuilder(role)]?.candidate);

/**
 * The step of a builder if the last turns of both builders say `converged`, or if the builders have nominated different
 * candidates. Undefined otherwise, so that turns come first.
 */
function electionStep(state: SessionState, role: Builder): Step | undefined {
  const { election } = state;
  const split = followerInSplit(election);
  if (split?.follower === role) {
    const whom = split.candidate === role ? `yourself (${role})` : split.candidate;
    return say(
      'elect_contract_author',
      `The nominations differ, and yours is the later one: nominate ${whom} too${hasTurnsLeft(state) ? ', or discuss the author in your next turn' : ''}.`,
      nomination(split.candidate),
    );
  }
  if (split)
    return (
      turnStep(state, role) ??
      acceptanceStep(state, role) ??
      say(
        'wait_for_my_turn',
        'The nominations differ. Wait for the other agent, which nominated later and is asked to nominate your candidate too.',
      )
    );
  if (!hasConverged(state)) return undefined;
  const [open] = acceptancesDue(state.decisions, role);
  if (open)
    return say(
      'accept_decision',
      `Both agents have converged, and decision ${open.decision_id} waits for you. Accept it with accept_decision, or reject it with reject_decision.`,
      { decision_id: open.decision_id },
    );
  if (!election.nominations[role])
    return say(
      'elect_contract_author',
      'Both agents have converged: nominate a Contract Author.',
      ownNomination(state, role),
    );
  return (
    turnStep(state, role) ??
    say('wait_for_my_turn', 'You have nominated a Contract Author. Wait for the other agent to nominate.')
  );
}

function turnStep(state: SessionState, role: Builder): Step | undefined {
  if (nextAgent(state) !== role) return undefined;
  return say(
    'post_turn',
    `It is your turn (turn ${state.turns.count}): read new messages with read_messages, then post your turn with post_turn.`,
    { summary: '<what you found and propose>' },
  );
}

function acceptanceStep({ decisions }: SessionState, role: Builder): Step | undefined {
  const [open] = acceptancesDue(decisions, role);
  return (
    open &&
    say(
      'accept_decision',
      `Decision ${open.decision_id} waits for you. Accept it with accept_decision, reject it with reject_decision, or withdraw it with withdraw_decision if you proposed it.`,
      { decision_id: open.decision_id },
    )
  );
}

function nominationStep(state: SessionState, role: Builder): Step {
  const { nominations } = state.election;
  if (hasTurnsLeft(state))
    return say('wait_for_my_turn', `Wait: it is the turn of the other agent.${withoutTurn(state)}`);
  if (nominations[role])
    return say(
      'wait_for_my_turn',
      'No turns are left, and you have nominated a Contract Author. Wait for the other agent to nominate.',
    );
  return say('elect_contract_author', 'No turns are left: nominate a Contract Author.', ownNomination(state, role));
}

/** Tells the builder that does not begin what it can do before the first turn. Empty after the first turn. */
const withoutTurn = ({ turns: { count } }: SessionState): string =>
  count > 0
    ? ''
    : ' Meanwhile read your repository. You need no turn to ask with answer_question, or to propose with submit_decision.';
