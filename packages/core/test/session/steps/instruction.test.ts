import { describe, expect, test } from 'vitest';
import { type GivenOptions, given, type PastEvent } from '../../../src/testing/index.ts';
import { changed } from '../../contract/sample-contract.ts';
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
} from '../../past.ts';
import {
  approved,
  building,
  certified,
  decided,
  play,
  ready,
  received,
  review,
  submit,
  submitted,
} from '../../story.ts';
import { withoutRoute } from './without-route.ts';

type Role = 'agent_a' | 'agent_b' | 'moderator';

const instruction = (past: readonly PastEvent[], role: Role, options?: GivenOptions) =>
  withoutRoute(given(past, options).when('read_session_state', {}, role).reply().instruction);

const converged = [turnPosted('agent_a', 0, { converged: true }), turnPosted('agent_b', 1, { converged: true })];
const twoTurns = [turnPosted('agent_a', 0), turnPosted('agent_b', 1)];
const oneRound = { session: { round_limit: 1 } };
const split = [nominated('agent_a', 'agent_a'), nominated('agent_b', 'agent_b')];
const crossed = [nominated('agent_a', 'agent_b'), nominated('agent_b', 'agent_a')];
const WAIT = 'wait_for_my_turn';
const FIRST_TURN =
  'Wait: it is the turn of the other agent. Meanwhile read your repository. You need no turn to ask with answer_question, or to propose with submit_decision.';

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
    text: 'Wait for the owner to start the session.',
  },
  {
    state: 'DRAFT with a directive',
    past: [directed('i_1')],
    options: { isStarted: false },
    role: 'agent_a',
    tool: 'ack_intervention',
    text: 'Directive i_1 of the owner binds you. Acknowledge it with ack_intervention, or in acknowledged_directives of your turn, and follow it. If you have something to say about it, call answer_intervention instead: that acknowledges it too.',
  },
  {
    state: 'PAUSED in the own turn',
    past: [paused],
    role: 'agent_a',
    tool: WAIT,
    text: 'The owner paused the session. Wait until the owner resumes it; you can still read and answer.',
  },
  {
    state: 'PAUSED with an open question',
    past: [asked('agent_b', 'q_1'), paused],
    role: 'agent_a',
    tool: 'answer_question',
    text: 'Question q_1 of agent_b waits for your answer: send it with answer_question.',
  },
  {
    state: 'ENDED with an open question',
    past: [asked('agent_b', 'q_1'), ended],
    role: 'agent_a',
    tool: null,
    text: 'The session has ended: there is nothing left to do. You can still read.',
  },
  {
    state: 'my turn',
    role: 'agent_a',
    tool: 'post_turn',
    text: 'It is your turn (turn 0): post your turn with post_turn.',
  },
  { state: 'the other agent’s turn', role: 'agent_b', tool: WAIT, text: FIRST_TURN },
  {
    state: 'a question open to me, in my turn',
    past: [asked('agent_b', 'q_1')],
    role: 'agent_a',
    tool: 'post_turn',
    text: 'It is your turn (turn 0): post your turn with post_turn. Its answers take your answers to questions and decisions.',
  },
  {
    state: 'a question open to the other',
    past: [asked('agent_a', 'q_1')],
    role: 'agent_a',
    tool: 'post_turn',
    text: 'It is your turn (turn 0): post your turn with post_turn.',
  },
  {
    state: 'a question of the owner',
    past: [intervened('i_1')],
    role: 'agent_b',
    tool: 'answer_intervention',
    text: 'Question i_1 of the owner waits for your answer: send it with answer_intervention.',
  },
  {
    state: 'a question of the owner that I acknowledged, with nothing else to do',
    past: [intervened('i_1'), acknowledged('agent_b', 'i_1')],
    role: 'agent_b',
    tool: 'answer_intervention',
    text: 'Question i_1 of the owner waits for your answer: send it with answer_intervention.',
  },
  {
    state: 'a question of the owner that I answered',
    past: [intervened('i_1'), responded('agent_b', 'i_1', 'We do.')],
    role: 'agent_b',
    tool: WAIT,
    text: FIRST_TURN,
  },
  {
    state: 'a directive before a question',
    past: [asked('agent_b', 'q_1'), directed('i_1')],
    role: 'agent_a',
    tool: 'ack_intervention',
    text: 'Directive i_1 of the owner binds you. Acknowledge it with ack_intervention, or in acknowledged_directives of your turn, and follow it. If you have something to say about it, call answer_intervention instead: that acknowledges it too.',
  },
  {
    state: 'a directive whose action I completed by hand',
    past: [directed('i_1', { targets: ['agent_b'] }), actionCompleted('agent_b', 'act_1')],
    role: 'agent_b',
    tool: 'ack_intervention',
    text: 'Directive i_1 of the owner binds you. Acknowledge it with ack_intervention, or in acknowledged_directives of your turn, and follow it. If you have something to say about it, call answer_intervention instead: that acknowledges it too.',
  },
  {
    state: 'a directive that I acknowledged, with nothing else to do',
    past: [directed('i_1'), acknowledged('agent_b', 'i_1')],
    role: 'agent_b',
    tool: WAIT,
    text: FIRST_TURN,
  },
  {
    state: 'a directive that I acknowledged, in my turn',
    past: [directed('i_1'), acknowledged('agent_a', 'i_1')],
    role: 'agent_a',
    tool: 'post_turn',
    text: 'It is your turn (turn 0): read new messages with read_messages, then post your turn with post_turn.',
  },
  {
    state: 'a directive that I answered',
    past: [directed('i_1'), responded('agent_b', 'i_1', 'Done.')],
    role: 'agent_b',
    tool: WAIT,
    text: FIRST_TURN,
  },
  {
    state: 'a directive that was withdrawn',
    past: [directed('i_1'), interventionWithdrawn('i_1')],
    role: 'agent_b',
    tool: WAIT,
    text: FIRST_TURN,
  },
  {
    state: 'a task of the owner',
    past: [taskAssigned('act_1', 'agent_a')],
    role: 'agent_a',
    tool: 'ack_action',
    text: 'Action act_1 (OWNER_TASK) is due from you. Acknowledge it with ack_action, then do what its text in poll_actions says.',
  },
  {
    state: 'a task that I acknowledged, in my turn',
    past: [taskAssigned('act_1', 'agent_a'), actionAcknowledged('agent_a', 'act_1')],
    role: 'agent_a',
    tool: 'post_turn',
    text: 'It is your turn (turn 0): post your turn with post_turn.',
  },
  {
    state: 'a task that I acknowledged, with nothing else to do',
    past: [taskAssigned('act_1', 'agent_b'), actionAcknowledged('agent_b', 'act_1')],
    role: 'agent_b',
    tool: 'complete_action',
    text: 'Action act_1 (OWNER_TASK) is due from you. Do what its text in poll_actions says, then call complete_action.',
  },
  {
    state: 'a proposal that waits for me, out of turn',
    past: [proposed('agent_a', 'd_1')],
    role: 'agent_b',
    tool: 'accept_decision',
    text: 'Decision d_1 waits for you. Accept it with accept_decision, reject it with reject_decision, or withdraw it with withdraw_decision if you proposed it.',
  },
  {
    state: 'a proposal of my own that the other agent has not accepted, out of turn',
    past: [proposed('agent_b', 'd_1')],
    role: 'agent_b',
    tool: WAIT,
    text: FIRST_TURN,
  },
  {
    state: 'a proposal of my own that the other agent has accepted, out of turn',
    past: [proposed('agent_b', 'd_1'), accepted('agent_a', 'd_1')],
    role: 'agent_b',
    tool: 'accept_decision',
    text: 'Decision d_1 waits for you. Accept it with accept_decision, reject it with reject_decision, or withdraw it with withdraw_decision if you proposed it.',
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
    text: 'NO_REVISION on contract: Write the contract by the schema of get_contract_schema, check it with validate_contract_draft, then submit it with submit_contract. approve: true is your review of it, in the same call.',
  },
  {
    state: 'a proposal that I accepted, out of turn',
    past: [proposed('agent_a', 'd_1'), accepted('agent_b', 'd_1')],
    role: 'agent_b',
    tool: WAIT,
    text: FIRST_TURN,
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
    state: 'converged, and the other agent has nominated the reader',
    past: [...converged, nominated('agent_a', 'agent_b')],
    role: 'agent_b',
    tool: 'submit_contract',
    text: 'Both agents have converged, and the other agent has nominated you. Write the contract by the schema of get_contract_schema, check it with validate_contract_draft, then submit it with submit_contract. approve: true is your review of it, in the same call. That nominates you too; elect_contract_author nominates without it.',
  },
  {
    state: 'converged, and the other agent has nominated',
    past: [...converged, nominated('agent_a', 'agent_a')],
    role: 'agent_b',
    tool: 'elect_contract_author',
    text: 'Both agents have converged, and the other agent has nominated agent_a: nominate a Contract Author.',
  },
  {
    state: 'converged with a decision that waits for me',
    past: [...converged, proposed('agent_a', 'd_1')],
    role: 'agent_b',
    tool: 'accept_decision',
    text: 'Both agents have converged, and decision d_1 waits for you. Accept it with accept_decision, or reject it with reject_decision.',
  },
  {
    state: 'converged and nominated, out of turn',
    past: [...converged, nominated('agent_b', 'agent_b')],
    role: 'agent_b',
    tool: WAIT,
    text: 'You have nominated a Contract Author. Wait for the other agent to nominate.',
  },
  {
    state: 'converged and nominated, in my turn, where waiting would return at once',
    past: [...converged, nominated('agent_a', 'agent_b')],
    role: 'agent_a',
    tool: 'post_turn',
    text: 'You have nominated a Contract Author, and it is your turn (turn 2): post it with post_turn and converged: true. A turn without it takes up the discussion again, and nobody is asked to nominate.',
  },
  {
    state: 'converged before, and not any more',
    past: [...converged, turnPosted('agent_a', 2)],
    role: 'agent_a',
    tool: WAIT,
    text: 'Wait: it is the turn of the other agent.',
  },
  {
    state: 'a split election, for who nominated later',
    past: split,
    role: 'agent_b',
    tool: 'elect_contract_author',
    text: 'The nominations differ, and yours is the later one: nominate agent_a too, or discuss the author in your next turn.',
  },
  {
    state: 'a split election at the round limit, for who nominated later',
    past: [...twoTurns, ...split],
    options: oneRound,
    role: 'agent_b',
    tool: 'elect_contract_author',
    text: 'The nominations differ, and yours is the later one: nominate agent_a too.',
  },
  {
    state: 'a split election in which each nominated the other, for who nominated later',
    past: crossed,
    role: 'agent_b',
    tool: 'elect_contract_author',
    text: 'The nominations differ, and yours is the later one: nominate yourself (agent_b) too, or discuss the author in your next turn.',
  },
  {
    state: 'a split election, for who nominated first, in its turn',
    past: split,
    role: 'agent_a',
    tool: 'post_turn',
    text: 'It is your turn (turn 0): read new messages with read_messages, then post your turn with post_turn.',
  },
  {
    state: 'a split election, for who nominated first, without turns',
    past: [...twoTurns, ...split],
    options: oneRound,
    role: 'agent_a',
    tool: WAIT,
    text: 'The nominations differ. Wait for the other agent, which nominated later and is asked to nominate your candidate too.',
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
    text: 'No turns are left, and you have nominated a Contract Author. Wait for the other agent to nominate.',
  },
  {
    state: 'the round limit with a decision that waits for me',
    past: [...twoTurns, proposed('agent_a', 'd_1')],
    options: oneRound,
    role: 'agent_b',
    tool: 'accept_decision',
    text: 'Decision d_1 waits for you. Accept it with accept_decision, reject it with reject_decision, or withdraw it with withdraw_decision if you proposed it.',
  },
  {
    state: 'CONTRACT as author without a revision',
    past: decided,
    role: 'agent_a',
    tool: 'submit_contract',
    text: 'NO_REVISION on contract: Write the contract by the schema of get_contract_schema, check it with validate_contract_draft, then submit it with submit_contract. approve: true is your review of it, in the same call.',
  },
  {
    state: 'CONTRACT as reviewer, whose turn it is',
    past: elected('agent_b'),
    role: 'agent_a',
    tool: WAIT,
    text: 'Wait for agent_b to remove the blocker NO_REVISION on contract.',
  },
  {
    state: 'CONTRACT with a decision that waits for me',
    past: [...elected('agent_b'), proposed('agent_a', 'd_1')],
    role: 'agent_b',
    tool: 'accept_decision',
    text: 'DECISION_OPEN on d_1: Accept decision d_1 with accept_decision, reject it with reject_decision, or withdraw it if you proposed it.',
  },
  {
    state: 'CONTRACT with a revision to review',
    past: submitted,
    role: 'agent_b',
    tool: 'submit_final_review',
    text: 'Action act_1 (REVIEW_REVISION): Review r_1: read get_final_plan (format markdown, the shortest that shows all of it), then give your verdict on its content_hash.',
  },
  {
    state: 'CONTRACT with a review that was acknowledged',
    past: [...submitted, actionAcknowledged('agent_b', 'act_1')],
    role: 'agent_b',
    tool: 'submit_final_review',
    text: 'REVIEW_MISSING on r_1/agent_b: Read r_1 with get_final_plan (format markdown, the shortest that shows all of it), raise each fault with submit_finding, then give your verdict on its content_hash with submit_final_review.',
  },
  {
    state: 'CONTRACT with a revision after one that I reviewed',
    past: play(submitted, [
      review('agent_b', 'REQUEST_CHANGES'),
      submit('r_1', changed({ title: 'Stock is reserved' })),
    ]),
    role: 'agent_b',
    tool: 'submit_final_review',
    text: 'Action act_3 (REVIEW_REVISION): Review r_2: read get_revision_diff (revision_id r_2, against r_1, which you reviewed last), then give your verdict on its content_hash.',
  },
  {
    state: 'CONTRACT with an invalid revision, as reviewer',
    past: play(decided, [submit('', changed({ fixture_version: '2' }))]),
    role: 'agent_b',
    tool: WAIT,
    text: 'Wait for agent_a to remove the blocker VALIDATION_ERROR on r_1.',
  },
  {
    state: 'CONTRACT, certified',
    past: certified,
    role: 'agent_a',
    tool: WAIT,
    text: 'Wait for the owner to approve r_1, which is certified.',
  },
  {
    state: 'CONTRACT with a review to do while PAUSED',
    past: [...submitted, paused],
    role: 'agent_b',
    tool: 'ack_action',
    text: 'Action act_1 (REVIEW_REVISION) is due from you. Acknowledge it with ack_action, then do what its text in poll_actions says.',
  },
  {
    state: 'CONTRACT with an acknowledged review while PAUSED',
    past: [...submitted, actionAcknowledged('agent_b', 'act_1'), paused],
    role: 'agent_b',
    tool: WAIT,
    text: 'The owner paused the session. Wait until the owner resumes it; you can still read and answer.',
  },
  {
    state: 'READINESS',
    past: approved,
    role: 'agent_a',
    tool: 'confirm_receipt',
    text: 'Action act_3 (CONFIRM_RECEIPTS): Confirm the artifacts of manifest m_1 that list_artifacts shows: fetch those whose content you have not read, then confirm all of them with confirm_receipt.',
  },
  {
    state: 'READINESS with the receipts acknowledged',
    past: [...approved, actionAcknowledged('agent_a', 'act_3')],
    role: 'agent_a',
    tool: 'list_artifacts',
    text: 'You have not confirmed 1 of your artifacts. Call fetch_artifact for those whose content you do not have, then confirm all of them in one call of confirm_receipt, or in receipts of submit_readiness.',
  },
  {
    state: 'READINESS with all receipts',
    past: received,
    role: 'agent_a',
    tool: 'submit_readiness',
    text: 'Action act_5 (SUBMIT_READINESS): Answer the questions of get_readiness_questions from your handoff, and report your readiness for manifest m_1. If the other agent has reported, with_answers: true shows its answers too, and confirms in your report confirms them.',
  },
  {
    state: 'READINESS, both ready',
    past: ready,
    role: 'agent_a',
    tool: WAIT,
    text: 'Both agents are ready. Wait for the owner to authorize the build.',
  },
  {
    state: 'VERIFY',
    past: building,
    role: 'agent_b',
    tool: 'verify_handshake',
    text: 'The build of r_1 is authorized: build what your handoff says. When your service runs, declare it with verify_handshake. Verification needs the handshakes of both builders.',
  },
  {
    state: 'VERIFY, with the build acknowledged',
    past: [...building, actionAcknowledged('agent_b', 'act_11')],
    role: 'agent_b',
    tool: 'verify_handshake',
    text: 'The build of r_1 is authorized: build what your handoff says. When your service runs, declare it with verify_handshake. Verification needs the handshakes of both builders.',
  },
  {
    state: 'the moderator',
    role: 'moderator',
    tool: 'ack_events',
    text: 'Read the events after 0 with wait_for_activity (GET events), then acknowledge them with ack_events up to 5.',
  },
  {
    state: 'the moderator, with a task of the owner',
    past: [taskAssigned('act_1', 'moderator')],
    role: 'moderator',
    tool: 'complete_action',
    text: 'Action act_1 (OWNER_TASK) is due from you. Do what its text in pending_actions says, then call complete_action.',
  },
];

describe('instruction', () => {
  test.each(CASES)('names what comes next: $state ($role)', ({ past = [], options, role, tool, text }) => {
    expect(instruction(past, role, options)).toEqual({ tool, text });
  });

  test('contains no text of an agent or the owner', () => {
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
