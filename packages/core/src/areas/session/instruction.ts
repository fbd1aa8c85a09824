import { type Builder, isBuilder, type Role } from '../../kernel/roles.ts';
import { openActionsOf, pendingActionsOf, tickedOffActionsOf } from '../actions/rules.ts';
import type { Action } from '../actions/state.ts';
import { blockersOf } from '../blockers/blockers-of.ts';
import { acceptancesDue } from '../decisions/rules.ts';
import { followerInSplit } from '../election/rules.ts';
import { openInterventionsTo, unseenInterventionsTo } from '../interventions/rules.ts';
import { openQuestionsTo } from '../questions/rules.ts';
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
  const step = answerDebts(state, role) ?? inStatus(state, role);
  return step.tool === 'wait_for_my_turn' ? (unfinished(state, role) ?? step) : step;
}

function inStatus(state: SessionState, role: Builder): Step {
  const { status } = state.profile;
  if (status === 'DRAFT') return say('wait_for_my_turn', 'Wait: the owner has not started the session yet.');
  if (status === 'PAUSED')
    return say('wait_for_my_turn', 'Wait: the owner paused the session. You can still read and answer.');
  return inPhase(state, role);
}

/** Steps that apply in every phase: answers first, then actions. */
function answerDebts(state: SessionState, role: Builder): Step | undefined {
  const { interventions, questions, actions } = state;
  const [intervention] = unseenInterventionsTo(interventions, role);
  if (intervention?.type === 'DIRECTIVE') {
    return say('ack_intervention', `Acknowledge directive ${intervention.interventionId} of the ${intervention.from}.`);
  }
  if (intervention)
    return say('answer_intervention', `Answer question ${intervention.interventionId} of the ${intervention.from}.`);
  const [question] = openQuestionsTo(questions, role);
  if (question) return say('answer_question', `Answer question ${question.questionId}, here or in your next turn.`);
  const action = pendingActionsOf(actions, role).find((pending) => !isInNext(state, pending));
  if (action)
    return say(
      isDoable(state, action) ? (action.tool ?? 'ack_action') : 'ack_action',
      action.tool === 'complete_action'
        ? `Action ${action.actionId} (${action.type}): ${action.text}`
        : `Action ${action.actionId} (${action.type}) is due from you: acknowledge it and do it.`,
    );
  return undefined;
}

/** Whether verify_next lists the action. The first item of verify_next is then the instruction. */
const isInNext = ({ profile }: SessionState, { type }: Action): boolean =>
  profile.status === 'ACTIVE' && (type === 'DECLARE_HANDSHAKE' || type === 'FIX_DEFECT');

/** While the session is paused, the only obligation that can be met is to acknowledge. */
const isDoable = ({ profile }: SessionState, { tool }: Action): boolean =>
  profile.status === 'ACTIVE' || tool === undefined || tool === 'ack_intervention';

/** The step for acknowledged work that is not finished. This step comes after a turn, but before waiting. */
function unfinished(state: SessionState, role: Builder): Step | undefined {
  const { interventions, actions } = state;
  const question = openInterventionsTo(interventions, role).find(({ type }) => type === 'QUESTION');
  if (question) {
    const text = `Answer question ${question.interventionId} of the ${question.from}, which you acknowledged.`;
    return say('answer_intervention', text);
  }
  const action = openActionsOf(actions, role).find((open) => isDoable(state, open) && !isInNext(state, open));
  if (!action) return stillOwed(state, role);
  const text = `Action ${action.actionId} (${action.type}) is due from you: complete it once it is done.`;
  return say(action.tool ?? 'complete_action', text);
}

/** The step for an obligation that is still in force although its action was completed by hand. */
function stillOwed(state: SessionState, role: Builder): Step | undefined {
  const action = tickedOffActionsOf(state.actions, role).find((owed) => isDoable(state, owed));
  if (!action?.tool) return undefined;
  return say(action.tool, `${action.text} Completing ${action.actionId} by hand is not enough.`);
}

function inPhase(state: SessionState, role: Builder): Step {
  const { phase } = state.profile;
  if (phase === 'PLANNING')
    return (
      electionStep(state, role) ?? turnStep(state, role) ?? acceptanceStep(state, role) ?? nominationStep(state, role)
    );
  if (phase === 'CONTRACT') return contractStep(state, role);
  const unresolved = blockersOf(state).find(
    ({ code, responsible }) => code === 'FINDING_UNRESOLVED' && responsible === role,
  );
  if (unresolved) return say('resolve_finding', `Finding ${unresolved.record.id}: ${unresolved.resolution.text}`);
  return phase === 'READINESS' ? readinessStep(state, role) : verifyStep(state, role);
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
