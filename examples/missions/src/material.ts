import { z } from 'zod';
import type { Json } from './face.ts';
import type { Builder, Mission, Step } from './mission.ts';

/** What a mission's people have to say, without its order and without ids. */
export interface Material {
  /** Each builder's turns; a proposal takes the position that its topic ended with. */
  readonly turns: Readonly<Record<Builder, readonly Json[]>>;
  /** What the owner asks, directs and assigns during the discussion. */
  readonly ownerSteps: readonly Step[];
  /** Answers by the text of the question. */
  readonly answers: ReadonlyMap<string, string>;
  readonly author: Builder;
  readonly contract: Json;
  /** Mappings of the preflight, with topics where a decision is named. */
  readonly mappings: readonly Json[];
  readonly findings: readonly Json[];
  /** The author's answer to each finding, in the order in which they are raised. */
  readonly responses: readonly Json[];
  readonly outcomes: readonly string[];
  /** What the reviewer wants changed at first; empty when it approves at once. */
  readonly objections: readonly string[];
  /** Why the owner sends the approved contract back; nothing when the owner does not. */
  readonly ownersChange: string | undefined;
  readonly notes: Readonly<Record<Builder, readonly string[]>>;
}

const Proposals = z.array(z.object({ topic: z.string(), position: z.string() })).default([]);
const Asked = z.array(z.union([z.string(), z.object({ text: z.string() })])).default([]);
const Answered = z.array(z.object({ question_id: z.string(), answer: z.string() })).default([]);
const Turn = z.object({
  summary: z.string(),
  proposed_decisions: Proposals,
  questions: z.array(z.unknown()).default([]),
  concerns: z.array(z.string()).default([]),
});
const Mappings = z.array(z.looseObject({ decisions: z.array(z.string()) })).default([]);

export function materialOf(mission: Mission): Material {
  const { discussion, contract, outcome } = mission;
  const decisions = proposalsIn(discussion);
  const positions = new Map(decisions.map(({ topic, position }) => [topic, position]));
  const inputs = (call: string): Json[] => contract.filter((step) => step.call === call).map(({ input }) => input);
  const objection = inputs('submit_final_review').find(({ verdict }) => verdict === 'REQUEST_CHANGES');
  return {
    turns: { agent_a: turnsOf(discussion, 'agent_a', positions), agent_b: turnsOf(discussion, 'agent_b', positions) },
    ownerSteps: discussion.filter(({ call }) => ['ask', 'direct', 'assignAction'].includes(call)),
    answers: answersIn(discussion),
    author: outcome.contract_author,
    contract: z.record(z.string(), z.unknown()).parse(inputs('submit_contract')[0]?.contract),
    mappings: Mappings.parse(inputs('submit_preflight')[0]?.mappings).map((mapping) => ({
      ...mapping,
      decisions: mapping.decisions.map((id) => decisions[Number(id.slice('d_'.length)) - 1]?.topic),
    })),
    findings: inputs('submit_finding').map(({ revision_id: _, ...finding }) => finding),
    responses: inputs('respond_finding').map(({ decision, response }) => ({ decision, response })),
    outcomes: Object.values(outcome.findings).map((status) => (status === 'RESOLVED' ? 'RESOLVED' : 'WITHDRAWN')),
    objections: z.array(z.string()).default([]).parse(objection?.caveats),
    ownersChange: z.string().optional().parse(inputs('requestChanges')[0]?.reason),
    notes: { agent_a: notesOf(mission, 'agent_a'), agent_b: notesOf(mission, 'agent_b') },
  };
}

/** Every proposal, in the order in which a session numbers them. */
const proposalsIn = (steps: readonly Step[]): z.output<typeof Proposals> =>
  steps.flatMap(({ call, input }) => {
    if (call === 'submit_decision') return Proposals.parse([input]);
    return call === 'post_turn' ? Turn.parse(input).proposed_decisions : [];
  });

function turnsOf(steps: readonly Step[], role: Builder, positions: ReadonlyMap<string, string>): Json[] {
  const own = steps.filter(({ by, call }) => by === role && call === 'post_turn');
  return own.map(({ input }, index) => {
    const { summary, proposed_decisions, questions, concerns } = Turn.parse(input);
    const proposals = proposed_decisions.map(({ topic }) => ({ topic, position: positions.get(topic) }));
    return { summary, proposed_decisions: proposals, questions, concerns, converged: index === own.length - 1 };
  });
}

/** Answers to questions and to the owner's interventions, by what was asked; a session numbers both as they come. */
function answersIn(steps: readonly Step[]): Map<string, string> {
  const questions = steps.flatMap(({ input }) => Asked.parse(input.questions ?? []).map(textOf));
  const interventions = steps.filter(({ call }) => call === 'ask' || call === 'direct').map(({ input }) => input.text);
  const asked = new Map<unknown, unknown>([
    ...questions.map((text, index) => [`q_${index + 1}`, text] as const),
    ...interventions.map((text, index) => [`i_${index + 1}`, text] as const),
  ]);
  const given = steps.flatMap(({ input }) => [
    ...Answered.parse(input.answers ?? []).map(({ question_id, answer }) => [question_id, answer] as const),
    [input.question_id ?? input.intervention_id, input.answer ?? input.text] as const,
  ]);
  return new Map(
    given.flatMap(([id, text]) => (asked.has(id) ? [[String(asked.get(id)), String(text)] as const] : [])),
  );
}

const textOf = (question: string | { readonly text: string }): string =>
  typeof question === 'string' ? question : question.text;

function notesOf({ readiness }: Mission, role: Builder): string[] {
  const step = readiness.find(({ by, call }) => by === role && call === 'answer_readiness');
  return z.array(z.string()).default([]).parse(step?.input.notes);
}
