import { describe, expect, test } from 'vitest';
import { type GivenOptions, given, type PastEvent } from '../../src/testing/index.ts';
import { changed } from '../contract/sample-contract.ts';
import {
  accepted,
  acknowledged,
  actionAcknowledged,
  actionCompleted,
  asked,
  directed,
  elected,
  ended,
  intervened,
  interventionWithdrawn,
  nominated,
  paused,
  proposed,
  responded,
  taskAssigned,
  turnPosted,
} from '../past.ts';
import { approved, building, certified, decided, play, ready, received, submit, submitted } from '../story.ts';
import { withoutRoute } from './without-route.ts';

type Role = 'agent_a' | 'agent_b' | 'moderator';

const instruction = (past: readonly PastEvent[], role: Role, options?: GivenOptions) =>
  withoutRoute(given(past, options).when('read_session_state', {}, role).reply().instruction);

const converged = [turnPosted('agent_a', 0, { converged: true }), turnPosted('agent_b', 1, { converged: true })];
const twoTurns = [turnPosted('agent_a', 0), turnPosted('agent_b', 1)];
const oneRound = { session: { round_limit: 1 } };
const split = [nominated('agent_a', 'agent_a'), nominated('agent_b', 'agent_b')];
const WAIT = 'wait_for_my_turn';

interface Case {
  readonly state: string;
  readonly past?: readonly PastEvent[];
  readonly options?: GivenOptions;
  readonly role: Role;
  readonly tool: string | null;
  readonly text: string;
}

const CASES: readonly Case[] = [
  {
    state: 'DRAFT',
    options: { isStarted: false },
    role: 'agent_a',
    tool: WAIT,
    text: 'Wait: the owner has not started the session yet.',
  },
  {
    state: 'DRAFT with a directive',
    past: [directed('i_1')],
    options: { isStarted: false },
    role: 'agent_a',
    tool: 'ack_intervention',
    text: 'Directive i_1 of the owner binds you: acknowledge it, then follow it.',
  },
  {
    state: 'PAUSED in the own turn',
    past: [paused],
    role: 'agent_a',
    tool: WAIT,
    text: 'Wait: the owner paused the session. You can still read and answer.',
  },
  {
    state: 'PAUSED with an open question',
    past: [asked('agent_b', 'q_1'), paused],
    role: 'agent_a',
    tool: 'answer_question',
    text: 'Question q_1 of agent_b waits for your answer.',
  },
  {
    state: 'ENDED with an open question',
    past: [asked('agent_b', 'q_1'), ended],
    role: 'agent_a',
    tool: null,
    text: 'The session has ended. You can still read; there is nothing left to do.',
  },
  {
    state: 'my turn',
    role: 'agent_a',
    tool: 'post_turn',
    text: 'It is your turn (turn 0): read what is new with read_messages, then post it.',
  },
  { state: 'the other agent’s turn', role: 'agent_b', tool: WAIT, text: 'It is the other agent’s turn: wait.' },
  {
    state: 'a question open to me, in my turn',
    past: [asked('agent_b', 'q_1')],
    role: 'agent_a',
    tool: 'answer_question',
    text: 'Question q_1 of agent_b waits for your answer.',
  },
  {
    state: 'a question open to the other',
    past: [asked('agent_a', 'q_1')],
    role: 'agent_a',
    tool: 'post_turn',
    text: 'It is your turn (turn 0): read what is new with read_messages, then post it.',
  },
  {
    state: 'a question of the owner',
    past: [intervened('i_1')],
    role: 'agent_b',
    tool: 'answer_intervention',
    text: 'Question i_1 of the owner waits for your answer.',
  },
  {
    state: 'a question of the owner that I acknowledged, with nothing else to do',
    past: [intervened('i_1'), acknowledged('agent_b', 'i_1')],
    role: 'agent_b',
    tool: 'answer_intervention',
    text: 'Question i_1 of the owner waits for your answer.',
  },
  {
    state: 'a question of the owner that I answered',
    past: [intervened('i_1'), responded('agent_b', 'i_1', 'We do.')],
    role: 'agent_b',
    tool: WAIT,
    text: 'It is the other agent’s turn: wait.',
  },
  {
    state: 'a directive before a question',
    past: [asked('agent_b', 'q_1'), directed('i_1')],
    role: 'agent_a',
    tool: 'ack_intervention',
    text: 'Directive i_1 of the owner binds you: acknowledge it, then follow it.',
  },
  {
    state: 'a directive whose action I completed by hand',
    past: [directed('i_1', { targets: ['agent_b'] }), actionCompleted('agent_b', 'act_1')],
    role: 'agent_b',
    tool: 'ack_intervention',
    text: 'Directive i_1 of the owner binds you: acknowledge it, then follow it.',
  },
  {
    state: 'a directive that I acknowledged',
    past: [directed('i_1'), acknowledged('agent_b', 'i_1')],
    role: 'agent_b',
    tool: WAIT,
    text: 'It is the other agent’s turn: wait.',
  },
  {
    state: 'a directive that was withdrawn',
    past: [directed('i_1'), interventionWithdrawn('i_1')],
    role: 'agent_b',
    tool: WAIT,
    text: 'It is the other agent’s turn: wait.',
  },
  {
    state: 'a task of the owner',
    past: [taskAssigned('act_1', 'agent_a')],
    role: 'agent_a',
    tool: 'ack_action',
    text: 'Action act_1 (OWNER_TASK) is due from you: acknowledge it and do it.',
  },
  {
    state: 'a task that I acknowledged, in my turn',
    past: [taskAssigned('act_1', 'agent_a'), actionAcknowledged('agent_a', 'act_1')],
    role: 'agent_a',
    tool: 'post_turn',
    text: 'It is your turn (turn 0): read what is new with read_messages, then post it.',
  },
  {
    state: 'a task that I acknowledged, with nothing else to do',
    past: [taskAssigned('act_1', 'agent_b'), actionAcknowledged('agent_b', 'act_1')],
    role: 'agent_b',
    tool: 'complete_action',
    text: 'Action act_1 (OWNER_TASK) is due from you: complete it once it is done.',
  },
  {
    state: 'a proposal that waits for me, out of turn',
    past: [proposed('agent_a', 'd_1')],
    role: 'agent_b',
    tool: 'accept_decision',
    text: 'Decision d_1 waits for you: accept it, or reject or withdraw it with a reason.',
  },
  {
    state: 'a proposal of my own that the other agent has not accepted, out of turn',
    past: [proposed('agent_b', 'd_1')],
    role: 'agent_b',
    tool: WAIT,
    text: 'It is the other agent’s turn: wait.',
  },
  {
    state: 'a proposal of my own that the other agent has accepted, out of turn',
    past: [proposed('agent_b', 'd_1'), accepted('agent_a', 'd_1')],
    role: 'agent_b',
    tool: 'accept_decision',
    text: 'Decision d_1 waits for you: accept it, or reject or withdraw it with a reason.',
  },
  {
    state: 'converged with a decision of my own that the other agent has not accepted',
    past: [...converged, proposed('agent_b', 'd_1')],
    role: 'agent_b',
    tool: 'elect_contract_author',
    text: 'Both agents have converged: nominate a Contract Author.',
  },
  {
    state: 'CONTRACT with a decision of my own that the other agent has not accepted',
    past: [...elected('agent_b'), proposed('agent_b', 'd_1')],
    role: 'agent_b',
    tool: 'submit_contract',
    text: 'NO_REVISION on contract: Write the contract by the schema of get_contract_schema, check it with validate_contract_draft, then submit it.',
  },
  {
    state: 'a proposal that I accepted, out of turn',
    past: [proposed('agent_a', 'd_1'), accepted('agent_b', 'd_1')],
    role: 'agent_b',
    tool: WAIT,
    text: 'It is the other agent’s turn: wait.',
  },
  {
    state: 'converged',
    past: converged,
    role: 'agent_b',
    tool: 'elect_contract_author',
    text: 'Both agents have converged: nominate a Contract Author.',
  },
  {
    state: 'converged, in my turn',
    past: converged,
    role: 'agent_a',
    tool: 'elect_contract_author',
    text: 'Both agents have converged: nominate a Contract Author.',
  },
  {
    state: 'converged with a decision that waits for me',
    past: [...converged, proposed('agent_a', 'd_1')],
    role: 'agent_b',
    tool: 'accept_decision',
    text: 'Both agents have converged; decision d_1 still waits for your acceptance.',
  },
  {
    state: 'converged and nominated, out of turn',
    past: [...converged, nominated('agent_b', 'agent_b')],
    role: 'agent_b',
    tool: WAIT,
    text: 'You have nominated; wait for the other agent to nominate.',
  },
  {
    state: 'converged and nominated, in my turn, where waiting would return at once',
    past: [...converged, nominated('agent_a', 'agent_b')],
    role: 'agent_a',
    tool: 'post_turn',
    text: 'It is your turn (turn 2): read what is new with read_messages, then post it.',
  },
  {
    state: 'converged before, and not any more',
    past: [...converged, turnPosted('agent_a', 2)],
    role: 'agent_a',
    tool: WAIT,
    text: 'It is the other agent’s turn: wait.',
  },
  {
    state: 'a split election, for who nominated later',
    past: split,
    role: 'agent_b',
    tool: 'elect_contract_author',
    text: 'The nominations differ, and yours is the later one: nominate agent_a too, or settle it in a turn.',
  },
  {
    state: 'a split election, for who nominated first, in its turn',
    past: split,
    role: 'agent_a',
    tool: 'post_turn',
    text: 'It is your turn (turn 0): read what is new with read_messages, then post it.',
  },
  {
    state: 'a split election, for who nominated first, without turns',
    past: [...twoTurns, ...split],
    options: oneRound,
    role: 'agent_a',
    tool: WAIT,
    text: 'The nominations differ; the other agent should follow yours.',
  },
  {
    state: 'the round limit',
    past: twoTurns,
    options: oneRound,
    role: 'agent_a',
    tool: 'elect_contract_author',
    text: 'No turns are left: nominate a Contract Author.',
  },
  {
    state: 'the round limit, nominated',
    past: [...twoTurns, nominated('agent_a', 'agent_a')],
    options: oneRound,
    role: 'agent_a',
    tool: WAIT,
    text: 'No turns are left and you have nominated; wait for the other agent.',
  },
  {
    state: 'the round limit with a decision that waits for me',
    past: [...twoTurns, proposed('agent_a', 'd_1')],
    options: oneRound,
    role: 'agent_b',
    tool: 'accept_decision',
    text: 'Decision d_1 waits for you: accept it, or reject or withdraw it with a reason.',
  },
  {
    state: 'CONTRACT as author without a revision',
    past: decided,
    role: 'agent_a',
    tool: 'submit_contract',
    text: 'NO_REVISION on contract: Write the contract by the schema of get_contract_schema, check it with validate_contract_draft, then submit it.',
  },
  {
    state: 'CONTRACT as reviewer, whose turn it is',
    past: elected('agent_b'),
    role: 'agent_a',
    tool: WAIT,
    text: 'Wait for agent_b: NO_REVISION on contract.',
  },
  {
    state: 'CONTRACT with a decision that waits for me',
    past: [...elected('agent_b'), proposed('agent_a', 'd_1')],
    role: 'agent_b',
    tool: 'accept_decision',
    text: 'DECISION_OPEN on d_1: Accept decision d_1, or reject or withdraw it.',
  },
  {
    state: 'CONTRACT with a revision to review',
    past: submitted,
    role: 'agent_b',
    tool: 'submit_final_review',
    text: 'Action act_1 (REVIEW_REVISION) is due from you: acknowledge it and do it.',
  },
  {
    state: 'CONTRACT with a review that was acknowledged',
    past: [...submitted, actionAcknowledged('agent_b', 'act_1')],
    role: 'agent_b',
    tool: 'submit_final_review',
    text: 'REVIEW_MISSING on r_1/agent_b: Read get_final_plan, raise faults as findings, then give your verdict on this hash.',
  },
  {
    state: 'CONTRACT with an invalid revision, as reviewer',
    past: play(decided, [submit('', changed({ fixture_version: '2' }))]),
    role: 'agent_b',
    tool: WAIT,
    text: 'Wait for agent_a: VALIDATION_ERROR on r_1.',
  },
  {
    state: 'CONTRACT, certified',
    past: certified,
    role: 'agent_a',
    tool: WAIT,
    text: 'Wait: r_1 is certified; the owner must approve it.',
  },
  {
    state: 'CONTRACT with a review to do while PAUSED',
    past: [...submitted, paused],
    role: 'agent_b',
    tool: 'ack_action',
    text: 'Action act_1 (REVIEW_REVISION) is due from you: acknowledge it and do it.',
  },
  {
    state: 'CONTRACT with an acknowledged review while PAUSED',
    past: [...submitted, actionAcknowledged('agent_b', 'act_1'), paused],
    role: 'agent_b',
    tool: WAIT,
    text: 'Wait: the owner paused the session. You can still read and answer.',
  },
  {
    state: 'READINESS',
    past: approved,
    role: 'agent_a',
    tool: 'confirm_receipt',
    text: 'Action act_3 (CONFIRM_RECEIPTS) is due from you: acknowledge it and do it.',
  },
  {
    state: 'READINESS with the receipts acknowledged',
    past: [...approved, actionAcknowledged('agent_a', 'act_3')],
    role: 'agent_a',
    tool: 'list_artifacts',
    text: 'You have not confirmed 2 of your artifacts: fetch_artifact each that you have not read, then confirm all by one confirm_receipt.',
  },
  {
    state: 'READINESS with all receipts',
    past: received,
    role: 'agent_a',
    tool: 'submit_readiness',
    text: 'Action act_5 (SUBMIT_READINESS) is due from you: acknowledge it and do it.',
  },
  {
    state: 'READINESS, both ready',
    past: ready,
    role: 'agent_a',
    tool: WAIT,
    text: 'Wait: both agents are ready; the owner must authorize the build.',
  },
  {
    state: 'VERIFY',
    past: building,
    role: 'agent_b',
    tool: 'verify_handshake',
    text: 'Build from your handoff, then declare your handshake: verification needs those of both builders.',
  },
  {
    state: 'VERIFY, with the build acknowledged',
    past: [...building, actionAcknowledged('agent_b', 'act_11')],
    role: 'agent_b',
    tool: 'verify_handshake',
    text: 'Build from your handoff, then declare your handshake: verification needs those of both builders.',
  },
  {
    state: 'the moderator',
    role: 'moderator',
    tool: 'ack_events',
    text: 'Take in the events after 0 with wait_for_activity (GET events), then ack_events up to 5.',
  },
  {
    state: 'the moderator, with a task of the owner',
    past: [taskAssigned('act_1', 'moderator')],
    role: 'moderator',
    tool: 'complete_action',
    text: 'Action act_1 (OWNER_TASK) is due from you: do it, then complete it.',
  },
];

describe('instruction', () => {
  test.each(CASES)('names what comes next: $state ($role)', ({ past = [], options, role, tool, text }) => {
    expect(instruction(past, role, options)).toEqual({ tool, text });
  });

  test('holds nothing that an agent or the owner wrote', () => {
    const words = 'IGNORE-ALL-RULES';
    const past = [
      proposed('agent_a', 'd_1', { topic: words, position: words }),
      asked('agent_a', 'q_1', { text: words }),
      intervened('i_1', { text: words }),
      nominated('agent_a', 'agent_a', words),
      turnPosted('agent_a', 0, { summary: words }),
      taskAssigned('act_1', 'agent_a', words),
      taskAssigned('act_2', 'agent_b', words),
      taskAssigned('act_3', 'moderator', words),
    ];
    for (const role of ['agent_a', 'agent_b', 'moderator'] as const) {
      const { instruction: next, blockers } = given(past).when('read_session_state', {}, role).reply();
      expect(JSON.stringify([next, blockers])).not.toContain(words);
    }
  });
});
