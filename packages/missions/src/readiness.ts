import { z } from 'zod';
import { fileIn, handoverOf, sha256 } from './handover.ts';
import type { CallTool, Json } from './transport.ts';

const Asked = z.object({
  revision_id: z.string(),
  content_hash: z.string(),
  handshake_sha256: z.string(),
  fixture_version: z.string(),
  questions: z.array(z.object({ question_id: z.string(), text: z.string() })),
});
const Notes = z.object({ notes: z.array(z.string()) });
const Reported = z.object({ to_confirm: z.object({ action_id: z.string() }).optional() });

/**
 * For each agent: the id of its action to confirm the other agent's answers. The id comes from the response to the
 * agent's own report, and is absent if that response did not contain it.
 */
const toConfirm = new WeakMap<CallTool, string>();

/**
 * The routine `answer_readiness`: reports READY_TO_CODE and answers the questions with the `notes` of the step, in
 * their order.
 *
 * @throws Error if a note is missing
 */
export async function answerReadiness(agent: CallTool, input: Json): Promise<Json> {
  const { notes } = Notes.parse(input);
  const { revision_id, content_hash, handshake_sha256, fixture_version, questions } = await questionsTo(agent);
  const answer = await agent('submit_readiness', {
    ...{ revision_id, content_hash, verdict: 'READY_TO_CODE', handshake_sha256 },
    shared_contract_sha256: sha256(fileIn(await handoverOf(agent), 'shared-contract.json')),
    fixture_version,
    answers: answersTo(questions, notes),
  });
  const { to_confirm } = Reported.parse(answer);
  if (to_confirm) toConfirm.set(agent, to_confirm.action_id);
  return answer;
}

/** Makes the answers for a readiness report. */
export const readinessAnswers = async (agent: CallTool, notes: readonly string[]): Promise<Json[]> =>
  answersTo((await questionsTo(agent)).questions, notes);

/**
 * The routine `confirm_answers`: confirms all answers of the other agent. If the id of the action is unknown, reads the
 * id first.
 *
 * @throws Error if there are no answers to confirm
 */
export async function confirmAnswers(agent: CallTool): Promise<Json> {
  const action_id =
    toConfirm.get(agent) ?? Reported.parse(await agent('get_readiness_questions', {})).to_confirm?.action_id;
  if (action_id === undefined) throw new Error('There are no answers to confirm.');
  toConfirm.delete(agent);
  return agent('complete_action', { action_id });
}

const questionsTo = async (agent: CallTool): Promise<z.output<typeof Asked>> =>
  Asked.parse(await agent('get_readiness_questions', {}));

function answersTo(questions: z.output<typeof Asked>['questions'], notes: readonly string[]): Json[] {
  return questions.map(({ question_id, text }, index) => {
    const answer = notes[index];
    if (answer === undefined) throw new Error(`The mission has no note for ${question_id}: ${text}`);
    return { question_id, answer };
  });
}
