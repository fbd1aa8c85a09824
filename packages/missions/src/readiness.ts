import type { ToolOutput } from '@parley/core/client';
import { z } from 'zod';
import { checksumsOf, fileIn, handoverOf, sha256 } from './handover.ts';
import type { CallTool, Json } from './transport.ts';

const Report = z.object({
  notes: z.array(z.string()),
  receipts: z.boolean().default(false),
  confirms: z.boolean().default(false),
});

/**
 * For each agent: the id of its action to confirm the other agent's answers. The id comes from the response to the
 * agent's own report, and is absent if that response did not contain it.
 */
const toConfirm = new WeakMap<CallTool, string>();

/**
 * The routine `answer_readiness`: reports READY_TO_CODE and answers the questions with the `notes` of the step, in
 * their order. With `receipts`, the report also confirms the artifacts, and with `confirms` the answers of the other agent.
 *
 * @throws Error if a note is missing
 */
export async function answerReadiness(agent: CallTool, input: Json): Promise<Json> {
  const { notes, receipts, confirms } = Report.parse(input);
  if (receipts) return reportAtOnce(agent, notes, confirms);
  const { questions } = await agent('get_readiness_questions');
  const handover = await handoverOf(agent);
  const { revision_id, content_hash, handshake_sha256, fixture_version } = handover.manifest;
  const answer = await agent('submit_readiness', {
    ...{ revision_id, content_hash, handshake_sha256, fixture_version },
    verdict: 'READY_TO_CODE',
    shared_contract_sha256: sha256(fileIn(handover, 'shared-contract.json')),
    answers: answersTo(questions, notes),
  });
  if (answer.to_confirm?.action_id) toConfirm.set(agent, answer.to_confirm.action_id);
  return answer;
}

/** Reports with the receipts, and with the confirmation of the other agent's answers if `confirms` is true. */
async function reportAtOnce(agent: CallTool, notes: readonly string[], confirms: boolean): Promise<Json> {
  const read = await agent('get_readiness_questions', confirms ? { with_answers: true } : {});
  const { questions, receipts_missing, to_confirm } = read;
  const { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version } = read;
  const named = { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version };
  const answer = await agent('submit_readiness', {
    ...Named.parse(named),
    verdict: 'READY_TO_CODE',
    answers: answersTo(questions, notes),
    receipts: Receipts.parse(await checksumsOf(agent, receipts_missing)),
    ...(confirms && { confirms: to_confirm?.report }),
  });
  if (answer.to_confirm?.action_id) toConfirm.set(agent, answer.to_confirm.action_id);
  return answer;
}

const Receipts = z.record(z.string(), z.string());
const Named = z.object({
  revision_id: z.string(),
  content_hash: z.string(),
  handshake_sha256: z.string(),
  shared_contract_sha256: z.string(),
  fixture_version: z.string(),
});

type Answers = { question_id: string; answer: string }[];

/** Makes the answers for a readiness report. */
export const readinessAnswers = async (agent: CallTool, notes: readonly string[]): Promise<Answers> =>
  answersTo((await agent('get_readiness_questions')).questions, notes);

/**
 * The routine `confirm_answers`: confirms all answers of the other agent. If the id of the action is unknown, reads the
 * id first.
 *
 * @throws Error if there are no answers to confirm
 */
export async function confirmAnswers(agent: CallTool): Promise<Json> {
  const action_id = toConfirm.get(agent) ?? (await agent('get_readiness_questions')).to_confirm?.action_id;
  if (action_id === undefined) throw new Error('There are no answers to confirm.');
  toConfirm.delete(agent);
  return agent('complete_action', { action_id });
}

function answersTo(questions: ToolOutput<'get_readiness_questions'>['questions'], notes: readonly string[]): Answers {
  return questions.map(({ question_id, text }, index) => {
    const answer = notes[index];
    if (answer === undefined) throw new Error(`The mission has no note for ${question_id}: ${text}`);
    return { question_id, answer };
  });
}
