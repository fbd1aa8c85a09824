import { type Builder, isBuilder, type Role } from '../../kernel/roles.ts';
import { acceptancesDue } from '../decisions/rules.ts';
import { debtItems, findingItems, unfinishedItems } from '../due/due.ts';
import type { NextItem } from '../due/next-item.ts';
import { followerInSplit } from '../election/rules.ts';
import { exhaustedText, stoppingQuota } from '../quotas/rules.ts';
import { routeOf } from '../routes.ts';
import type { SessionState } from '../state.ts';
import { hasConverged, hasTurnsLeft, nextAgent } from '../turns/rules.ts';
import { contractStep, readinessStep } from './contract-steps.ts';
import { moderatorStep } from './moderator-step.ts';
import { ownerStep } from './owner-step.ts';
import { type Step, say } from './step.ts';
import { verifyStep } from './verify-steps.ts';

/** The next step of a role. The first rule that returns a step wins. */
export function instructionFor(state: SessionState, role: Role): Step {
  const { tool, text } = nextStep(state, role);
  return { tool, ...routeOf(tool, role), text };
}

function nextStep(state: SessionState, role: Role): Step {
  const { status } = state.profile;
  if (status === 'ENDED') return say(null, 'The session has ended. You can still read; there is nothing left to do.');
  if (role === 'owner') return ownerStep(state);
  if (!isBuilder(role)) return moderatorStep(state);
  const exhausted = stoppingQuota(state, role);
  if (exhausted) return say('wait_for_my_turn', exhaustedText(exhausted));
  const step = stepOf(debtItems(state, role)) ?? inStatus(state, role);
  return step.tool === 'wait_for_my_turn' ? (stepOf(unfinishedItems(state, role)) ?? step) : step;
}

function inStatus(state: SessionState, role: Builder): Step {
  const { status } = state.profile;
  if (status === 'DRAFT') return say('wait_for_my_turn', 'Wait: the owner has not started the session yet.');
  if (status === 'PAUSED')
    return say('wait_for_my_turn', 'Wait: the owner paused the session. You can still read and answer.');
  return inPhase(state, role);
}

const stepOf = ([first]: readonly NextItem[]): Step | undefined => first && say(first.tool, first.reason);

function inPhase(state: SessionState, role: Builder): Step {
  const { phase } = state.profile;
  if (phase === 'PLANNING')
    return (
      electionStep(state, role) ?? turnStep(state, role) ?? acceptanceStep(state, role) ?? nominationStep(state, role)
    );
  if (phase === 'CONTRACT') return contractStep(state, role);
  return phase === 'READINESS'
    ? (stepOf(findingItems(state, role)) ?? readinessStep(state, role))
    : verifyStep(state, role);
}

/** After both builders have converged, and after the first nominations, the election comes before further turns. */
function electionStep(state: SessionState, role: Builder): Step | undefined {
  const { election } = state;
  const split = followerInSplit(election);
  if (split?.follower === role) {
    return say(
      'elect_contract_author',
      `The nominations differ, and yours is the later one: nominate ${split.candidate} too, or settle it in a turn.`,
    );
  }
  if (split)
    return (
      turnStep(state, role) ??
      acceptanceStep(state, role) ??
      say('wait_for_my_turn', 'The nominations differ; the other agent should follow yours.')
    );
  if (!hasConverged(state)) return undefined;
  const [open] = acceptancesDue(state.decisions, role);
  if (open)
    return say(
      'accept_decision',
      `Both agents have converged; decision ${open.decisionId} still waits for your acceptance.`,
    );
  if (!election.nominations[role])
    return say('elect_contract_author', 'Both agents have converged: nominate a Contract Author.');
  return turnStep(state, role) ?? say('wait_for_my_turn', 'You have nominated; wait for the other agent to nominate.');
}

function turnStep(state: SessionState, role: Builder): Step | undefined {
  if (nextAgent(state) !== role) return undefined;
  return say(
    'post_turn',
    `It is your turn (turn ${state.turns.count}): read what is new with read_messages, then post it.`,
  );
}

function acceptanceStep({ decisions }: SessionState, role: Builder): Step | undefined {
  const [open] = acceptancesDue(decisions, role);
  return (
    open &&
    say(
      'accept_decision',
      `Decision ${open.decisionId} waits for you: accept it, or reject or withdraw it with a reason.`,
    )
  );
}

function nominationStep(state: SessionState, role: Builder): Step {
  const { nominations } = state.election;
  if (hasTurnsLeft(state)) return say('wait_for_my_turn', 'It is the other agent’s turn: wait.');
  if (nominations[role])
    return say('wait_for_my_turn', 'No turns are left and you have nominated; wait for the other agent.');
  return say('elect_contract_author', 'No turns are left: nominate a Contract Author.');
}
