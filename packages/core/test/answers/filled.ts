import type { PastEvent } from '../../src/testing/index.ts';
import { answered, asked, directed, intervened, proposed, responded, taskAssigned, withdrawn } from '../past.ts';
import { declared } from '../story.ts';

/** Functions that make past events. Each function makes many records of one kind, with texts of the maximum length. */

/** A text of quotation marks. They take the most bytes: two each in JSON, and four each in the JSON text inside an MCP answer. */
const dear = (chars: number): string => '"'.repeat(chars);

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** As much evidence as one record can have. */
const EVIDENCE = numbers(50).map((number) => ({
  kind: 'file',
  reference: `${number} ${dear(490)}`,
  excerpt: dear(600),
  sha256: 'e'.repeat(64),
}));

export const decisions = (open: number, closed: number): PastEvent[] => [
  ...numbers(closed).flatMap((number) => [decision(number), withdrawn('agent_a', `d_${number}`, dear(2_000))]),
  ...numbers(open).map((number) => decision(closed + number)),
];

const decision = (number: number): PastEvent =>
  proposed('agent_a', `d_${number}`, {
    topic: `${number} ${dear(190)}`,
    position: dear(4_000),
    evidence: EVIDENCE,
  });

export const findings = (count: number): PastEvent[] => numbers(count).flatMap((number) => raised(number));

const raised = (number: number): PastEvent[] => [
  {
    kind: 'finding.raised',
    actor: 'moderator',
    data: {
      finding_id: `f_${number}`,
      text: dear(4_000),
      moderated: {
        category: 'SAFETY',
        severity: 'HIGH',
        resolution_criteria: dear(2_000),
        target_agents: ['agent_a', 'agent_b'],
      },
      blocking: true,
      target: dear(500),
      evidence: EVIDENCE,
      revision_id: null,
    },
  },
  {
    kind: 'hold.opened',
    actor: 'moderator',
    data: { hold_id: `h_${number}`, finding_id: `f_${number}`, reason: dear(2_000) },
  },
];

/** Directives of the owner (`directives` of them), followed by questions of the moderator (`asked` of them). */
export const interventions = (directives: number, asked: number): PastEvent[] => [
  ...numbers(directives).map((number) => directed(`i_${number}`, { text: dear(4_000) })),
  ...numbers(asked).map((number) => moderatorsQuestion(directives + number)),
];

const moderatorsQuestion = (number: number): PastEvent => ({
  ...intervened(`i_${number}`, { text: dear(4_000), evidence: EVIDENCE, blocking: true }),
  actor: 'moderator',
});

/** Questions of the moderator, each answered by agent_a. Each answer opens an action for the moderator. */
export const answeredQuestions = (count: number): PastEvent[] =>
  numbers(count).flatMap((number) => [
    moderatorsQuestion(number),
    responded('agent_a', `i_${number}`, dear(4_000)),
    {
      kind: 'action.opened',
      actor: 'system',
      data: {
        action_id: `act_${number}`,
        due_to: 'moderator',
        type: 'CHECK_ANSWER',
        text: `Check the answer of agent_a to question i_${number}.`,
        about: { type: 'intervention', id: `i_${number}` },
      },
    },
  ]);

export const tasks = (count: number): PastEvent[] =>
  numbers(count).map((number) => taskAssigned(`act_${number}`, 'agent_a', dear(4_000)));

/** The obligations of the author of a contract with `count` findings. */
export const obligations = (count: number): PastEvent[] =>
  numbers(count).map((number) => ({
    kind: 'action.opened',
    actor: 'system',
    data: {
      action_id: `act_${number}`,
      due_to: 'agent_a',
      type: 'RESPOND_FINDING',
      text: `Answer finding f_${number}: accept it and correct the contract, or reject it with your reason.`,
      tool: 'respond_finding',
      payload: { finding_id: `f_${number}`, decision: '<ACCEPT or REJECT>', response: '<your response>' },
    },
  }));

/**
 * Answered questions of agent_a to agent_b (`closed` of them), followed by open questions (`open` of them) that go
 * alternately to the owner and to agent_b.
 */
export const questions = (open: number, closed: number): PastEvent[] => [
  ...numbers(closed).flatMap((number) => [
    asked('agent_a', `q_${number}`, { text: dear(2_000) }),
    answered('agent_b', `q_${number}`, dear(4_000)),
  ]),
  ...numbers(open).map((number) =>
    asked('agent_a', `q_${closed + number}`, {
      text: dear(2_000),
      to: number % 2 === 0 ? 'agent_b' : 'owner',
      blocking: true,
    }),
  ),
];

export const recommendations = (count: number): PastEvent[] =>
  numbers(count).map((number) => ({
    kind: 'recommendation.made',
    actor: 'moderator',
    data: {
      recommendation_id: `rec_${number}`,
      recommendation: 'PAUSE',
      text: dear(4_000),
      targets: ['agent_a', 'agent_b'],
    },
  }));

/**
 * Failed attempts (`before` of them), followed by an open attempt, for which each builder has posted `each` items of
 * evidence.
 */
export const evidence = (each: number, before = 0): PastEvent[] => [
  ...declared,
  ...numbers(before).flatMap((number) => ended(number)),
  { kind: 'attempt.started', actor: 'agent_a', data: { scenario_id: 'test-reserve', attempt: before + 1, commits } },
  ...numbers(each).flatMap((number) => [item('agent_a', number, before + 1), item('agent_b', number, before + 1)]),
];

const commits = { agent_a: 'a'.repeat(40), agent_b: 'b'.repeat(40) };

const item = (actor: 'agent_a' | 'agent_b', number: number, attempt: number): PastEvent => ({
  kind: 'evidence.submitted',
  actor,
  data: {
    scenario_id: 'test-reserve',
    attempt,
    kind: 'log',
    claim: dear(1_000),
    summary: dear(4_000),
    request_id: `${number} ${dear(190)}`,
    assertions: [{ name: 'a', expected: dear(20_000), actual: dear(20_000), passed: true }],
    commit: 'c'.repeat(40),
  },
});

/** A failed attempt whose defect was fixed. */
const ended = (attempt: number): PastEvent[] => [
  { kind: 'attempt.started', actor: 'agent_a', data: { scenario_id: 'test-reserve', attempt, commits } },
  item('agent_a', 1, attempt),
  {
    kind: 'verdict.given',
    actor: 'agent_b',
    data: { scenario_id: 'test-reserve', attempt, verdict: 'FAIL', note: dear(4_000) },
  },
  {
    kind: 'defect.opened',
    actor: 'system',
    data: { defect_id: `def_${attempt}`, scenario_id: 'test-reserve', attempt, assigned_to: 'agent_b', commits },
  },
  {
    kind: 'defect.fixed',
    actor: 'agent_b',
    data: { defect_id: `def_${attempt}`, scenario_id: 'test-reserve', note: dear(4_000), commit: 'd'.repeat(40) },
  },
  {
    kind: 'defect.waived',
    actor: 'owner',
    data: { defect_id: `def_${attempt}`, scenario_id: 'test-reserve', reason: dear(2_000) },
  },
];

export const reviews = (past: readonly PastEvent[], count: number): PastEvent[] => [
  ...past,
  ...numbers(count).map(
    (number): PastEvent => ({
      kind: 'moderator_review.submitted',
      actor: 'moderator',
      data: {
        revision_id: `r_${number}`,
        content_hash: 'f'.repeat(64),
        verdict: 'COMMENT',
        summary: dear(4_000),
        dimensions: numbers(20).map((place) => ({ name: `${place} ${dear(90)}`, score: 1, note: dear(1_000) })),
      },
    }),
  ),
];
