import { z } from 'zod';
import { type Builder, isBuilder, type Role } from '../../kernel/roles.ts';
import { openActionsOf, pendingActionsOf } from '../actions/rules.ts';
import { awaitingAcceptance } from '../decisions/rules.ts';
import { followerInSplit } from '../election/rules.ts';
import { openInterventionsTo, unseenInterventionsTo } from '../interventions/rules.ts';
import { openQuestionsTo } from '../questions/rules.ts';
import type { SessionState } from '../state.ts';
import { hasConverged, hasTurnsLeft, nextAgent } from '../turns/rules.ts';

/** The next tool to call and why; built from codes and ids only, never from what an agent wrote. */
export const Instruction = z.strictObject({ tool: z.string().nullable(), text: z.string() });
export type Instruction = z.output<typeof Instruction>;

const say = (tool: string | null, text: string): Instruction => ({ tool, text });

/** What this role does next. The first rule that has something to say wins. */
export function instructionFor(state: SessionState, role: Role): Instruction {
  const { status } = state.profile;
  if (status === 'ENDED') return say(null, 'The session has ended. Reading still works; nothing is left to do.');
  if (!isBuilder(role)) return say('read_messages', 'Read what is new.');
  const step = answerDebts(state, role) ?? inStatus(state, role);
  return step.tool === 'wait_for_my_turn' ? (unfinished(state, role) ?? step) : step;
}

function inStatus(state: SessionState, role: Builder): Instruction {
  const { status } = state.profile;
  if (status === 'DRAFT') return say('wait_for_my_turn', 'Wait: the owner has not started the session yet.');
  if (status === 'PAUSED')
    return say('wait_for_my_turn', 'Wait: the owner paused the session. Reading and answering still work.');
  return inPhase(state, role);
}

/** What is owed in every phase: answers first, then actions. */
function answerDebts({ interventions, questions, actions }: SessionState, role: Builder): Instruction | undefined {
  const [intervention] = unseenInterventionsTo(interventions, role);
  if (intervention?.type === 'DIRECTIVE') {
    return say('ack_intervention', `Acknowledge directive ${intervention.interventionId} of the ${intervention.from}.`);
  }
  if (intervention)
    return say('answer_intervention', `Answer question ${intervention.interventionId} of the ${intervention.from}.`);
  const [question] = openQuestionsTo(questions, role);
  if (question) return say('answer_question', `Answer question ${question.questionId}, here or in your next turn.`);
  const [action] = pendingActionsOf(actions, role);
  if (action)
    return say(
      action.tool ?? 'ack_action',
      `Action ${action.actionId} (${action.type}) is due from you: acknowledge it and do it.`,
    );
  return undefined;
}

/** What was seen and is still owed: it can wait for a turn, but goes before waiting. */
function unfinished({ interventions, actions }: SessionState, role: Builder): Instruction | undefined {
  const question = openInterventionsTo(interventions, role).find(({ type }) => type === 'QUESTION');
  if (question) {
    const text = `Answer question ${question.interventionId} of the ${question.from}, which you acknowledged.`;
    return say('answer_intervention', text);
  }
  const [action] = openActionsOf(actions, role);
  if (!action) return undefined;
  const text = `Action ${action.actionId} (${action.type}) is due from you: complete it once it is done.`;
  return say(action.tool ?? 'complete_action', text);
}

function inPhase(state: SessionState, role: Builder): Instruction {
  const { phase } = state.profile;
  if (phase === 'PLANNING')
    return (
      electionStep(state, role) ?? turnStep(state, role) ?? acceptanceStep(state, role) ?? nominationStep(state, role)
    );
  if (phase === 'CONTRACT')
    return (
      turnStep(state, role) ??
      acceptanceStep(state, role) ??
      say('wait_for_my_turn', 'Wait for the other agent or the owner.')
    );
  return say('wait_for_my_turn', 'Wait for the other agent or the owner.');
}

/** Once both have converged, or when nominations are about, the election goes before further turns. */
function electionStep(state: SessionState, role: Builder): Instruction | undefined {
  const { election } = state;
  const split = followerInSplit(election);
  if (split?.follower === role) {
    return say(
      'elect_contract_author',
      `The nominations differ; yours is the later one: nominate ${split.candidate} too, or settle it in a turn.`,
    );
  }
  if (split)
    return (
      turnStep(state, role) ?? say('wait_for_my_turn', 'The nominations differ; the other agent should follow yours.')
    );
  if (!hasConverged(state)) return undefined;
  const [open] = awaitingAcceptance(state.decisions, role);
  if (open)
    return say(
      'accept_decision',
      `Both agents have converged; decision ${open.decisionId} still waits for your acceptance.`,
    );
  if (!election.nominations[role])
    return say('elect_contract_author', 'Both agents have converged: nominate a Contract Author.');
  return turnStep(state, role) ?? say('wait_for_my_turn', 'You have nominated; wait for the other agent to nominate.');
}

function turnStep(state: SessionState, role: Builder): Instruction | undefined {
  if (nextAgent(state) !== role) return undefined;
  return say(
    'post_turn',
    `It is your turn (turn ${state.turns.count}): read what is new with read_messages, then post it.`,
  );
}

function acceptanceStep({ decisions }: SessionState, role: Builder): Instruction | undefined {
  const [open] = awaitingAcceptance(decisions, role);
  return (
    open &&
    say(
      'accept_decision',
      `Decision ${open.decisionId} waits for you: accept it, or reject or withdraw it with a reason.`,
    )
  );
}

function nominationStep(state: SessionState, role: Builder): Instruction {
  const { nominations } = state.election;
  if (hasTurnsLeft(state)) return say('wait_for_my_turn', 'It is the other agent’s turn: wait.');
  if (nominations[role])
    return say('wait_for_my_turn', 'No turns are left and you have nominated; wait for the other agent.');
  return say('elect_contract_author', 'No turns are left: nominate a Contract Author.');
}
