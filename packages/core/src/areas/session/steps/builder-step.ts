import type { Builder } from '../../../kernel/roles.ts';
import { acceptancesDue } from '../../decisions/rules.ts';
import { debtItems, findingItems, unfinishedItems } from '../../due/due.ts';
import type { NextItem } from '../../due/next-item.ts';
import { followerInSplit } from '../../election/rules.ts';
import { exhaustedText, stoppingQuota } from '../../quotas/rules.ts';
import type { SessionState } from '../../state.ts';
import { hasConverged, hasTurnsLeft, nextAgent } from '../../turns/rules.ts';
import { contractStep, readinessStep } from './contract-steps.ts';
import { type Step, say } from './step.ts';
import { verifyStep } from './verify-steps.ts';

/**
 * The next step of a builder in a session that has not ended. The rules are tried in order; the first one that returns a
 * step decides.
 */
export function builderStep(state: SessionState, role: Builder): Step {
  const exhausted = stoppingQuota(state, role);
  if (exhausted) return say('wait_for_my_turn', exhaustedText(exhausted));
  const step = stepOf(debtItems(state, role)) ?? inStatus(state, role);
  return step.tool === 'wait_for_my_turn' ? (stepOf(unfinishedItems(state, role)) ?? step) : step;
}

function inStatus(state: SessionState, role: Builder): Step {
  const { status } = state.profile;
  if (status === 'DRAFT') return say('wait_for_my_turn', 'Wait for the owner to start the session.');
  if (status === 'PAUSED')
    return say(
      'wait_for_my_turn',
      'The owner paused the session. Wait until the owner resumes it; you can still read and answer.',
    );
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

/**
 * The step in the election of the Contract Author. If both builders have converged, or a builder has nominated a candidate,
 * this step comes before further turns.
 */
function electionStep(state: SessionState, role: Builder): Step | undefined {
  const { election } = state;
  const split = followerInSplit(election);
  if (split?.follower === role) {
    return say(
      'elect_contract_author',
      `The nominations differ, and yours is the later one: nominate ${split.candidate} too, or discuss the author in a turn.`,
    );
  }
  if (split)
    return (
      turnStep(state, role) ??
      acceptanceStep(state, role) ??
      say(
        'wait_for_my_turn',
        'The nominations differ. Wait: the other agent nominated later, and is asked to nominate your candidate.',
      )
    );
  if (!hasConverged(state)) return undefined;
  const [open] = acceptancesDue(state.decisions, role);
  if (open)
    return say(
      'accept_decision',
      `Both agents have converged, and decision ${open.decisionId} waits for you: accept it, or reject it with a reason.`,
    );
  if (!election.nominations[role])
    return say('elect_contract_author', 'Both agents have converged: nominate a Contract Author.');
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
  if (hasTurnsLeft(state)) return say('wait_for_my_turn', 'Wait: it is the turn of the other agent.');
  if (nominations[role])
    return say(
      'wait_for_my_turn',
      'No turns are left, and you have nominated a Contract Author. Wait for the other agent to nominate.',
    );
  return say('elect_contract_author', 'No turns are left: nominate a Contract Author.');
}
