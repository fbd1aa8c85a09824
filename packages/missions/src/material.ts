import { z } from 'zod';
import type { Builder, Mission, Step } from './mission.ts';
import { isModerated } from './moderation.ts';
import type { Json } from './transport.ts';

/** The texts of a mission's agents and owner, without ids and without the order of the steps. */
export interface Material {
  /**
   * The turns of each builder. If a mission proposes several positions on one topic, the turns contain only the last of
   * these positions.
   */
  readonly turns: Readonly<Record<Builder, readonly Json[]>>;
  /** The owner's steps in the discussion that ask a question, give a directive or assign an action. */
  readonly ownerSteps: readonly Step[];
  /** Answers to questions. The keys are made by `answerKey`. */
  readonly answers: ReadonlyMap<string, string>;
  readonly author: Builder;
  readonly contract: Json;
  /** Mappings of the preflight. They name decisions by their topics instead of their ids. */
  readonly mappings: readonly Json[];
  readonly findings: readonly Json[];
  /** The author's responses to findings. The key is the text of the finding. */
  readonly responses: ReadonlyMap<string, Json>;
  /** The outcomes with which findings are resolved. The key is the text of the finding. */
  readonly outcomes: ReadonlyMap<string, string>;
  /** The changes that the reviewer requests in its first review. Empty if that review approves. */
  readonly objections: readonly string[];
  /** The reason for which the owner sends the approved contract back. Undefined if the owner does not send it back. */
  readonly ownersChange: string | undefined;
  readonly notes: Readonly<Record<Builder, readonly string[]>>;
  /** The texts of the moderator. Undefined in a mission without a moderator. */
  readonly moderation: Moderation | undefined;
}

/** The moderator's texts. `mend` is the patch with which the author corrects the fault that the moderator has found. */
interface Moderation {
  readonly question: Json;
  readonly finding: Json;
  readonly objection: Json;
  readonly approval: Json;
  readonly advice: Json;
  readonly mend: unknown;
}

/**
 * Makes the key of an answer: the role that answers, and the text of the question. Both builders may be asked the same
 * question.
 */
export const answerKey = (by: string, question: string): string => `${by}: ${question}`;

const Proposals = z.array(z.object({ topic: z.string(), position: z.string() })).default([]);
const Asked = z.array(z.union([z.string(), z.object({ text: z.string() })])).default([]);
/**
 * The answers to questions in the input of a turn. Answers to proposed decisions are left out, because the bots choose
 * the proposals that they accept.
 */
const Answered = z
  .array(z.object({ question_id: z.string().optional(), answer: z.string().optional() }))
  .default([])
  .transform((answers) => answers.filter(({ question_id }) => question_id !== undefined));
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
  const raised = contract.filter(({ call }) => call === 'submit_finding' || call === 'submit_moderator_finding');
  const findings = raised.map(({ input }) => String(input.text));
  const textOfFinding = (id: unknown): string => findings[Number(String(id).slice('f_'.length)) - 1] ?? '';
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
    responses: new Map(
      inputs('respond_finding').map(({ finding_id, decision, response }) => [
        textOfFinding(finding_id),
        { decision, response },
      ]),
    ),
    outcomes: new Map(
      Object.entries(outcome.findings).map(([id, status]) => [
        textOfFinding(id),
        status === 'RESOLVED' ? 'RESOLVED' : 'WITHDRAWN',
      ]),
    ),
    objections: z.array(z.string()).default([]).parse(objection?.caveats),
    ownersChange: z.string().optional().parse(inputs('requestChanges')[0]?.reason),
    notes: { agent_a: notesOf(mission, 'agent_a'), agent_b: notesOf(mission, 'agent_b') },
    moderation: isModerated(mission) ? moderationOf(mission) : undefined,
  };
}

/** Returns the moderator's texts without ids, because ids differ if the agents do not follow the script. */
function moderationOf({ discussion, contract }: Mission): Moderation {
  const inputs = (call: string): Json[] =>
    [...discussion, ...contract].filter((step) => step.call === call).map(({ input }) => input);
  const said = (call: string, index = 0): Json => inputs(call)[index] ?? {};
  const verdict = ({ verdict, summary, dimensions }: Json): Json => ({ verdict, summary, dimensions });
  const { related_decision_id: _, ...question } = said('ask_agent');
  return {
    question,
    finding: said('submit_moderator_finding'),
    objection: verdict(said('submit_contract_review')),
    approval: verdict(said('submit_contract_review', 1)),
    advice: said('recommend_to_owner'),
    mend: inputs('patch_contract').at(-1)?.ops,
  };
}

/** Returns all proposals in the order in which a session numbers them. The first proposal is `d_1`. */
const proposalsIn = (steps: readonly Step[]): z.output<typeof Proposals> =>
  steps.flatMap(({ call, input }) => {
    if (call === 'submit_decision') return Proposals.parse([input]);
    return call === 'post_turn' ? Turn.parse(input).proposed_decisions : [];
  });

function turnsOf(steps: readonly Step[], role: Builder, positions: ReadonlyMap<string, string>): Json[] {
  const own = steps.filter(({ by, call }) => by === role && call === 'post_turn');
  return own.map(({ input }, index) => {
    const { summary, proposed_decisions, questions, concerns } = Turn.parse(input);
    const proposals = proposed_decisions.map(({ topic }) => ({ topic, position: positions.get(topic), accept: true }));
    return { summary, proposed_decisions: proposals, questions, concerns, converged: index === own.length - 1 };
  });
}

/**
 * Returns the answers to questions and interventions, by `answerKey`. A mission names a question by its id, so the
 * questions are numbered here as a session numbers them.
 */
function answersIn(steps: readonly Step[]): Map<string, string> {
  const questions = steps.flatMap(({ input }) => Asked.parse(input.questions ?? []).map(textOf));
  const interventions = steps
    .filter(({ call }) => ['ask', 'direct', 'ask_agent'].includes(call))
    .map(({ input }) => input.text);
  const asked = new Map<unknown, unknown>([
    ...questions.map((text, index) => [`q_${index + 1}`, text] as const),
    ...interventions.map((text, index) => [`i_${index + 1}`, text] as const),
  ]);
  const given = steps.flatMap(({ by, input }) => [
    ...Answered.parse(input.answers ?? []).map(({ question_id, answer }) => [by, question_id, answer] as const),
    [by, input.question_id ?? input.intervention_id, input.answer ?? input.text] as const,
  ]);
  return new Map(
    given.flatMap(([by, id, text]) =>
      asked.has(id) ? [[answerKey(by, String(asked.get(id))), String(text)] as const] : [],
    ),
  );
}

const textOf = (question: string | { readonly text: string }): string =>
  typeof question === 'string' ? question : question.text;

function notesOf({ readiness }: Mission, role: Builder): string[] {
  const step = readiness.find(({ by, call }) => by === role && call === 'answer_readiness');
  return z.array(z.string()).default([]).parse(step?.input.notes);
}
