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

const BINDS =
  'Directive i_1 of the owner binds you. Acknowledge it with ack_intervention, or in acknowledged_directives of your turn, and follow it. If you have something to say about it, call answer_intervention instead: that acknowledges it too.';
const PAUSED = 'The owner paused the session. Wait until the owner resumes it; you can still read and answer.';
const MY_TURN = 'It is your turn (turn 0): post your turn with post_turn.';
const ASKED = 'Question i_1 of the owner waits for your answer: send it with answer_intervention.';
const READ_FIRST =
  'It is your turn (turn 0): read new messages with read_messages, then post your turn with post_turn.';
const OPEN =
  'Decision d_1 waits for you. Accept it with accept_decision, reject it with reject_decision, or withdraw it with withdraw_decision if you proposed it.';
const CONVERGED = 'Both agents have converged: nominate a Contract Author.';
const WRITE =
  'NO_REVISION on contract: Write the contract by the schema of get_contract_schema, check it with validate_contract_draft, then submit it with submit_contract. approve: true is your review of it, in the same call.';
const BUILD =
  'The build of r_1 is authorized: build what your handoff says. When your service runs, declare it with verify_handshake. Verification needs the handshakes of both builders.';

/** A state, whose step is asked for, and the step: its tool and its text. */
type Case = [
  state: string,
  past: readonly PastEvent[],
  role: Role,
  tool: string | null,
  text: string,
  options?: GivenOptions,
];

const CASES: readonly Case[] = [
  ['DRAFT', [], 'agent_a', WAIT, 'Wait for the owner to start the session.', { isStarted: false }],
  ['DRAFT with a directive', [directed('i_1')], 'agent_a', 'ack_intervention', BINDS, { isStarted: false }],
  ['PAUSED in the own turn', [paused], 'agent_a', WAIT, PAUSED],
  [
    'PAUSED with an open question',
    [asked('agent_b', 'q_1'), paused],
    'agent_a',
    'answer_question',
    'Question q_1 of agent_b waits for your answer: send it with answer_question.',
  ],
  [
    'ENDED with an open question',
    [asked('agent_b', 'q_1'), ended],
    'agent_a',
    null,
    'The session has ended: there is nothing left to do. You can still read.',
  ],
  ['my turn', [], 'agent_a', 'post_turn', MY_TURN],
  ['the other agent’s turn', [], 'agent_b', WAIT, FIRST_TURN],
  [
    'a question open to me, in my turn',
    [asked('agent_b', 'q_1')],
    'agent_a',
    'post_turn',
    'It is your turn (turn 0): post your turn with post_turn. Its answers take your answers to questions and decisions.',
  ],
  ['a question open to the other', [asked('agent_a', 'q_1')], 'agent_a', 'post_turn', MY_TURN],
  ['a question of the owner', [intervened('i_1')], 'agent_b', 'answer_intervention', ASKED],
  [
    'a question of the owner that I acknowledged, with nothing else to do',
    [intervened('i_1'), acknowledged('agent_b', 'i_1')],
    'agent_b',
    'answer_intervention',
    ASKED,
  ],
  [
    'a question of the owner that I answered',
    [intervened('i_1'), responded('agent_b', 'i_1', 'We do.')],
    'agent_b',
    WAIT,
    FIRST_TURN,
  ],
  ['a directive before a question', [asked('agent_b', 'q_1'), directed('i_1')], 'agent_a', 'ack_intervention', BINDS],
  [
    'a directive whose action I completed by hand',
    [directed('i_1', { targets: ['agent_b'] }), actionCompleted('agent_b', 'act_1')],
    'agent_b',
    'ack_intervention',
    BINDS,
  ],
  [
    'a directive that I acknowledged, with nothing else to do',
    [directed('i_1'), acknowledged('agent_b', 'i_1')],
    'agent_b',
    WAIT,
    FIRST_TURN,
  ],
  [
    'a directive that I acknowledged, in my turn',
    [directed('i_1'), acknowledged('agent_a', 'i_1')],
    'agent_a',
    'post_turn',
    READ_FIRST,
  ],
  ['a directive that I answered', [directed('i_1'), responded('agent_b', 'i_1', 'Done.')], 'agent_b', WAIT, FIRST_TURN],
  ['a directive that was withdrawn', [directed('i_1'), interventionWithdrawn('i_1')], 'agent_b', WAIT, FIRST_TURN],
  [
    'a task of the owner',
    [taskAssigned('act_1', 'agent_a')],
    'agent_a',
    'ack_action',
    'Action act_1 (OWNER_TASK) is due from you. Acknowledge it with ack_action, then do what its text in poll_actions says.',
  ],
  [
    'a task that I acknowledged, in my turn',
    [taskAssigned('act_1', 'agent_a'), actionAcknowledged('agent_a', 'act_1')],
    'agent_a',
    'post_turn',
    MY_TURN,
  ],
  [
    'a task that I acknowledged, with nothing else to do',
    [taskAssigned('act_1', 'agent_b'), actionAcknowledged('agent_b', 'act_1')],
    'agent_b',
    'complete_action',
    'Action act_1 (OWNER_TASK) is due from you. Do what its text in poll_actions says, then call complete_action.',
  ],
  ['a proposal that waits for me, out of turn', [proposed('agent_a', 'd_1')], 'agent_b', 'accept_decision', OPEN],
  [
    'a proposal of my own that the other agent has not accepted, out of turn',
    [proposed('agent_b', 'd_1')],
    'agent_b',
    WAIT,
    FIRST_TURN,
  ],
  [
    'a proposal of my own that the other agent has accepted, out of turn',
    [proposed('agent_b', 'd_1'), accepted('agent_a', 'd_1')],
    'agent_b',
    'accept_decision',
    OPEN,
  ],
  [
    'converged with a decision of my own that the other agent has not accepted',
    [...converged, proposed('agent_b', 'd_1')],
    'agent_b',
    'elect_contract_author',
    CONVERGED,
  ],
  [
    'CONTRACT with a decision of my own that the other agent has not accepted',
    [...elected('agent_b'), proposed('agent_b', 'd_1')],
    'agent_b',
    'submit_contract',
    WRITE,
  ],
  [
    'a proposal that I accepted, out of turn',
    [proposed('agent_a', 'd_1'), accepted('agent_b', 'd_1')],
    'agent_b',
    WAIT,
    FIRST_TURN,
  ],
  ['converged', converged, 'agent_b', 'elect_contract_author', CONVERGED],
  ['converged, in my turn', converged, 'agent_a', 'elect_contract_author', CONVERGED],
  [
    'converged, and the other agent has nominated the reader',
    [...converged, nominated('agent_a', 'agent_b')],
    'agent_b',
    'submit_contract',
    'Both agents have converged, and the other agent has nominated you. Write the contract by the schema of get_contract_schema, check it with validate_contract_draft, then submit it with submit_contract. approve: true is your review of it, in the same call. That nominates you too; elect_contract_author nominates without it.',
  ],
  [
    'converged, and the other agent has nominated',
    [...converged, nominated('agent_a', 'agent_a')],
    'agent_b',
    'elect_contract_author',
    'Both agents have converged, and the other agent has nominated agent_a: nominate a Contract Author.',
  ],
  [
    'converged with a decision that waits for me',
    [...converged, proposed('agent_a', 'd_1')],
    'agent_b',
    'accept_decision',
    'Both agents have converged, and decision d_1 waits for you. Accept it with accept_decision, or reject it with reject_decision.',
  ],
  [
    'converged and nominated, out of turn',
    [...converged, nominated('agent_b', 'agent_b')],
    'agent_b',
    WAIT,
    'You have nominated a Contract Author. Wait for the other agent to nominate.',
  ],
  [
    'converged and nominated, in my turn, where waiting would return at once',
    [...converged, nominated('agent_a', 'agent_b')],
    'agent_a',
    'post_turn',
    'You have nominated a Contract Author, and it is your turn (turn 2): post it with post_turn and converged: true. A turn without it takes up the discussion again, and nobody is asked to nominate.',
  ],
  [
    'converged before, and not any more',
    [...converged, turnPosted('agent_a', 2)],
    'agent_a',
    WAIT,
    'Wait: it is the turn of the other agent.',
  ],
  [
    'a split election, for who nominated later',
    split,
    'agent_b',
    'elect_contract_author',
    'The nominations differ, and yours is the later one: nominate agent_a too, or discuss the author in your next turn.',
  ],
  [
    'a split election at the round limit, for who nominated later',
    [...twoTurns, ...split],
    'agent_b',
    'elect_contract_author',
    'The nominations differ, and yours is the later one: nominate agent_a too.',
    oneRound,
  ],
  [
    'a split election in which each nominated the other, for who nominated later',
    crossed,
    'agent_b',
    'elect_contract_author',
    'The nominations differ, and yours is the later one: nominate yourself (agent_b) too, or discuss the author in your next turn.',
  ],
  ['a split election, for who nominated first, in its turn', split, 'agent_a', 'post_turn', READ_FIRST],
  [
    'a split election, for who nominated first, without turns',
    [...twoTurns, ...split],
    'agent_a',
    WAIT,
    'The nominations differ. Wait for the other agent, which nominated later and is asked to nominate your candidate too.',
    oneRound,
  ],
  [
    'the round limit',
    twoTurns,
    'agent_a',
    'elect_contract_author',
    'No turns are left: nominate a Contract Author.',
    oneRound,
  ],
  [
    'the round limit, nominated',
    [...twoTurns, nominated('agent_a', 'agent_a')],
    'agent_a',
    WAIT,
    'No turns are left, and you have nominated a Contract Author. Wait for the other agent to nominate.',
    oneRound,
  ],
  [
    'the round limit with a decision that waits for me',
    [...twoTurns, proposed('agent_a', 'd_1')],
    'agent_b',
    'accept_decision',
    OPEN,
    oneRound,
  ],
  ['CONTRACT as author without a revision', decided, 'agent_a', 'submit_contract', WRITE],
  [
    'CONTRACT as reviewer, whose turn it is',
    elected('agent_b'),
    'agent_a',
    WAIT,
    'Wait for agent_b to remove the blocker NO_REVISION on contract.',
  ],
  [
    'CONTRACT with a decision that waits for me',
    [...elected('agent_b'), proposed('agent_a', 'd_1')],
    'agent_b',
    'accept_decision',
    'DECISION_OPEN on d_1: Accept decision d_1 with accept_decision, reject it with reject_decision, or withdraw it if you proposed it.',
  ],
  [
    'CONTRACT with a revision to review',
    submitted,
    'agent_b',
    'submit_final_review',
    'Action act_1 (REVIEW_REVISION): Review r_1: read get_final_plan (format markdown, the shortest that shows all of it), then give your verdict on its content_hash.',
  ],
  [
    'CONTRACT with a review that was acknowledged',
    [...submitted, actionAcknowledged('agent_b', 'act_1')],
    'agent_b',
    'submit_final_review',
    'REVIEW_MISSING on r_1/agent_b: Read r_1 with get_final_plan (format markdown, the shortest that shows all of it), raise each fault with submit_finding, then give your verdict on its content_hash with submit_final_review.',
  ],
  [
    'CONTRACT with a revision after one that I reviewed',
    play(submitted, [review('agent_b', 'REQUEST_CHANGES'), submit('r_1', changed({ title: 'Stock is reserved' }))]),
    'agent_b',
    'submit_final_review',
    'Action act_3 (REVIEW_REVISION): Review r_2: read get_revision_diff (revision_id r_2, against r_1, which you reviewed last), then give your verdict on its content_hash.',
  ],
  [
    'CONTRACT with an invalid revision, as reviewer',
    play(decided, [submit('', changed({ fixture_version: '2' }))]),
    'agent_b',
    WAIT,
    'Wait for agent_a to remove the blocker VALIDATION_ERROR on r_1.',
  ],
  ['CONTRACT, certified', certified, 'agent_a', WAIT, 'Wait for the owner to approve r_1, which is certified.'],
  [
    'CONTRACT with a review to do while PAUSED',
    [...submitted, paused],
    'agent_b',
    'ack_action',
    'Action act_1 (REVIEW_REVISION) is due from you. Acknowledge it with ack_action, then do what its text in poll_actions says.',
  ],
  [
    'CONTRACT with an acknowledged review while PAUSED',
    [...submitted, actionAcknowledged('agent_b', 'act_1'), paused],
    'agent_b',
    WAIT,
    PAUSED,
  ],
  [
    'READINESS',
    approved,
    'agent_a',
    'confirm_receipt',
    'Action act_3 (CONFIRM_RECEIPTS): Confirm the artifacts of manifest m_1 that list_artifacts shows: fetch those whose content you have not read, then confirm all of them with confirm_receipt.',
  ],
  [
    'READINESS with the receipts acknowledged',
    [...approved, actionAcknowledged('agent_a', 'act_3')],
    'agent_a',
    'list_artifacts',
    'You have not confirmed 1 of your artifacts. Call fetch_artifact for those whose content you do not have, then confirm all of them in one call of confirm_receipt, or in receipts of submit_readiness.',
  ],
  [
    'READINESS with all receipts',
    received,
    'agent_a',
    'submit_readiness',
    'Action act_5 (SUBMIT_READINESS): Answer the questions of get_readiness_questions from your handoff, and report your readiness for manifest m_1. If the other agent has reported, with_answers: true shows its answers too, and confirms in your report confirms them.',
  ],
  [
    'READINESS, both ready',
    ready,
    'agent_a',
    WAIT,
    'Both agents are ready. Wait for the owner to authorize the build.',
  ],
  ['VERIFY', building, 'agent_b', 'verify_handshake', BUILD],
  [
    'VERIFY, with the build acknowledged',
    [...building, actionAcknowledged('agent_b', 'act_11')],
    'agent_b',
    'verify_handshake',
    BUILD,
  ],
  [
    'the moderator',
    [],
    'moderator',
    'ack_events',
    'Read the events after 0 with wait_for_activity (GET events), then acknowledge them with ack_events up to 5.',
  ],
  [
    'the moderator, with a task of the owner',
    [taskAssigned('act_1', 'moderator')],
    'moderator',
    'complete_action',
    'Action act_1 (OWNER_TASK) is due from you. Do what its text in pending_actions says, then call complete_action.',
  ],
];

describe('instruction', () => {
  test.each(CASES)('names what comes next: %s', (...[, past, role, tool, text, options]) => {
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
