import { z } from 'zod';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { isBuilder } from '../../kernel/roles.ts';
import { NoInput, RevisionId } from '../fields.ts';
import { LIST_COST } from '../listing.ts';
import { receiptsMissing } from '../manifest/rules.ts';
import { defineOperation } from '../operation.ts';
import { AnswersToCheck, viewAnswersToCheck } from './answers-to-check.ts';
import { READINESS_VERDICTS } from './events.ts';
import { questionsFor, type ReadinessQuestion } from './questions.ts';
import { DisclosedReadinessView, listDisclosedReadiness, QuestionFields, viewQuestion } from './schemas.ts';

/**
 * Spec 4.2. Shows the questions of a builder. Without a frozen manifest, the ids, the checksums and `fixture_version`
 * are null, and the lists are empty.
 */
export const getReadinessQuestions = defineOperation({
  name: 'get_readiness_questions',
  summary: "Read readiness questions and the other agent's answers.",
  rest: 'GET readiness',
  access: { builder: 'get_final_plan' },
  input: NoInput,
  output: z.strictObject({
    manifest_id: z.string().nullable(),
    revision_id: RevisionId.nullable(),
    content_hash: z.string().nullable(),
    shared_contract_sha256: z.string().nullable(),
    handshake_sha256: z.string().nullable(),
    fixture_version: z.string().nullable(),
    receipts_missing: z.array(z.string()).describe('Your artifacts that you have not confirmed yet.'),
    questions: z.array(z.strictObject({ ...QuestionFields, answer_format: z.string() })),
    verdicts: z.array(z.string()),
    readiness: z.array(DisclosedReadinessView),
    to_confirm: AnswersToCheck.optional(),
    ...LEFT_OUT,
  }),
  errors: [],

  reply(state, _input, { caller: { role } }) {
    const { current } = state.manifest;
    const builder = isBuilder(role) ? role : undefined;
    const lists = boundedLists(LIST_COST);
    const readiness = listDisclosedReadiness(lists, state, role);
    return {
      manifest_id: current?.manifest_id ?? null,
      revision_id: current?.revision_id ?? null,
      content_hash: current?.content_hash ?? null,
      shared_contract_sha256: current?.shared_contract_sha256 ?? null,
      handshake_sha256: current?.handshake_sha256 ?? null,
      fixture_version: current?.fixture_version ?? null,
      receipts_missing: builder ? receiptsMissing(state.manifest, builder).map(({ filename }) => filename) : [],
      questions: builder ? questionsFor(state, builder).map(viewFormatted) : [],
      verdicts: [...READINESS_VERDICTS],
      readiness: readiness(),
      to_confirm: viewAnswersToCheck(state, role),
      ...lists.leftOut(),
    };
  },
});

const viewFormatted = (question: ReadinessQuestion) => ({
  ...viewQuestion(question),
  answer_format: question.expected
    ? 'Values separated by commas, in any order; the word none if there are none.'
    : 'A sentence or two.',
});
