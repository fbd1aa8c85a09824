import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { forMember } from '../../kernel/operation/input.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { type Builder, isBuilder, type Role } from '../../kernel/roles.ts';
import { counted } from '../../kernel/text/readable.ts';
import { openActionsOf } from '../actions/rules.ts';
import { ActionId, BuilderRole, LongText, MessageCursor, NoInput, RevisionId, text } from '../fields.ts';
import { LIST_COST } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import { Manifest, READINESS_VERDICTS } from './events.ts';
import {
  confirmationDrafts,
  DisclosedReadinessView,
  faultsOf,
  listDisclosedReadiness,
  QuestionFields,
  questionsFor,
  type ReadinessFaults,
  type ReadinessQuestion,
  reportToCheck,
  reportToConfirm,
  viewQuestion,
} from './readiness.ts';
import {
  ArtifactContent,
  ArtifactView,
  CONTENT_FROM,
  documentsOf,
  isReceived,
  Receipts,
  readableArtifact,
  readableArtifacts,
  receiptDrafts,
  receiptsMissing,
  viewArtifacts,
  viewAttached,
  viewAuthorizations,
  viewContent,
} from './rules.ts';
import { AuthorizationsView } from './state.ts';

/**
 * Spec 4.2. Stores nothing for an artifact that the caller has already confirmed. Also stores nothing for an artifact
 * that is assigned to nobody.
 */
export const confirmReceipt = defineOperation({
  name: 'confirm_receipt',
  summary: 'Confirm artifacts by the sha256 you computed.',
  rest: 'POST artifacts/receipt',
  access: { builder: 'submit_final_review' },
  phases: ['READINESS'],
  input: z.strictObject({
    filename: z.string(),
    sha256: text(100),
    others: Receipts.optional().describe('sha256 by filename'),
  }),
  output: z.strictObject({
    filename: z.string(),
    received: z.boolean(),
    receipts_missing: z.array(z.string()),
  }),
  errors: ['UNKNOWN_RECORD', 'ARTIFACT_NOT_ASSIGNED', 'CHECKSUM_MISMATCH'],

  decide: ({ manifest }, { filename, sha256, others }, { role }) =>
    receiptDrafts(manifest, role, { [filename]: sha256, ...others, [filename]: sha256 }),

  reply({ manifest }, { filename }, { caller: { role } }) {
    const missing = isBuilder(role) ? receiptsMissing(manifest, role) : [];
    return {
      filename,
      received: isReceived(manifest, role, filename),
      receipts_missing: missing.map((artifact) => artifact.filename),
    };
  },
});

/**
 * Spec 4.2 and 5.6. The filename must be exactly a filename of the manifest. It is not normalised and is not used as a
 * path.
 */
export const fetchArtifact = defineOperation({
  name: 'fetch_artifact',
  summary: 'Fetch the content and sha256 of an artifact.',
  rest: 'GET artifacts/fetch',
  access: { builder: 'get_final_plan' },
  input: z.strictObject({
    filename: z.string().describe('As list_artifacts shows it, or the sha256 of an attachment.'),
    from: CONTENT_FROM,
  }),
  output: ArtifactContent,
  errors: ['UNKNOWN_RECORD', 'ARTIFACT_NOT_ASSIGNED'],

  documents: (state, { filename }, { role }) => documentsOf(state, filename, readableArtifacts(state.manifest, role)),

  reply(state, input, { caller, document }) {
    const { filename, from } = input;
    const attached = viewAttached(state, input, { document, tool: 'fetch_artifact' });
    if (attached) return attached;
    const artifact = readableArtifact(state.manifest, caller.role, filename);
    return viewContent(artifact, document(artifact.sha256), { from, tool: 'fetch_artifact' });
  },
});

/** Spec 4.2. `manifest` lists every artifact. `artifacts` lists only the artifacts that are assigned to the caller. */
export const listArtifacts = defineOperation({
  name: 'list_artifacts',
  summary: 'List all artifacts, the frozen manifest and the authorizations.',
  rest: 'GET artifacts',
  access: { builder: 'get_final_plan' },
  input: NoInput,
  output: z.strictObject({
    manifest: Manifest.nullable().describe('Null before the owner approves and after the owner requests changes.'),
    artifacts: z.array(ArtifactView),
    authorizations: AuthorizationsView,
  }),

  reply: ({ manifest }, _input, { caller: { role } }) => ({
    manifest: manifest.current,
    artifacts: viewArtifacts(manifest, role),
    authorizations: viewAuthorizations(manifest),
  }),
});

/**
 * The builder whose readiness answers the caller must check. The action that confirms them, or, before the caller has
 * reported, the number of the report, which its own report confirms.
 */
const AnswersToCheck = namedObject('AnswersToCheck', {
  answers_of: BuilderRole,
  action_id: ActionId.optional(),
  report: z.int().optional().describe('Before your own report: its `confirms`.'),
});

function viewAnswersToCheck(state: SessionState, role: Role): z.output<typeof AnswersToCheck> | undefined {
  const report = isBuilder(role) ? reportToCheck(state, role) : undefined;
  const action = openActionsOf(state.actions, role).find(({ type }) => type === 'CONFIRM_ANSWERS');
  return report && action && { answers_of: report.by, action_id: action.action_id };
}

/**
 * Spec 4.2. Shows the questions of a builder. Without a frozen manifest, the ids, the checksums and `fixture_version`
 * are null, and the lists are empty.
 */
export const getReadinessQuestions = defineOperation({
  name: 'get_readiness_questions',
  summary: "Read readiness questions and the other agent's answers.",
  rest: 'GET readiness',
  access: { builder: 'get_final_plan' },
  input: z.strictObject({
    with_answers: z.boolean().optional().describe('Show those of an agent that reported first.'),
  }),
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

  reply(state, { with_answers }, { caller: { role } }) {
    const { current } = state.manifest;
    const builder = isBuilder(role) ? role : undefined;
    const lists = boundedLists(LIST_COST);
    const early = with_answers && builder ? reportToConfirm(state, builder) : undefined;
    const readiness = listDisclosedReadiness(lists, state, { role, early });
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
      to_confirm: early ? { answers_of: early.by, report: early.seq } : viewAnswersToCheck(state, role),
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

const Hash = text(100);

/** Spec 4.2 and domain 8. Stores a builder's readiness report, which replaces its earlier report. */
export const submitReadiness = defineOperation({
  name: 'submit_readiness',
  summary: 'Answer the questions and report readiness.',
  rest: 'POST readiness',
  access: { builder: 'submit_final_review' },
  phases: ['READINESS'],
  input: z.strictObject({
    revision_id: RevisionId,
    content_hash: Hash,
    verdict: z.enum(READINESS_VERDICTS),
    handshake_sha256: Hash,
    shared_contract_sha256: Hash,
    fixture_version: text(200),
    answers: z
      .array(z.strictObject({ question_id: text(20), answer: LongText }))
      .max(100)
      .refine((answers) => new Set(answers.map(({ question_id }) => question_id)).size === answers.length, {
        message: 'Answers a question twice.',
      }),
    blockers: z.array(text(2_000)).max(50).optional().describe('Why, when BLOCKED.'),
    receipts: Receipts.optional().describe('Also confirms artifacts: sha256 by filename.'),
    confirms: MessageCursor.optional().describe('The report in to_confirm.'),
  }),
  output: z.strictObject({
    readiness: z.array(DisclosedReadinessView),
    both_ready: z.boolean(),
    to_confirm: AnswersToCheck.optional(),
    ...LEFT_OUT,
  }),
  errors: [
    'RECEIPTS_MISSING',
    'MANIFEST_MISMATCH',
    'INVALID_INPUT',
    'READINESS_ANSWERS_WRONG',
    'NO_MANIFEST',
    'UNKNOWN_RECORD',
    'ARTIFACT_NOT_ASSIGNED',
    'CHECKSUM_MISMATCH',
  ],

  decide(state, input, { role }) {
    const { current } = state.manifest;
    if (!current || !isBuilder(role))
      return fail('NO_MANIFEST', 'There is no frozen manifest: the owner has not approved a contract.');
    const { verdict, answers, revision_id, blockers = [], confirms } = input;
    const receipts = forMember('receipts', () => receiptDrafts(state.manifest, role, input.receipts ?? {}));
    const faults = faultsOf(state, input, role);
    if (verdict === 'BLOCKED' && state.manifest.build_authorized) refuseBlocked(state, role);
    if (verdict === 'BLOCKED' && blockers.length === 0) refuseInput('blockers', 'Name what prevents you from coding.');
    if (verdict === 'BLOCKED' && confirms !== undefined) refuseInput('confirms', 'Goes with READY_TO_CODE alone.');
    if (verdict === 'READY_TO_CODE') refuseUnready(faults, blockers);
    const mismatches = [...faults.fields, ...faults.receipts, ...faults.unanswered, ...faults.wrong];
    const { manifest_id } = current;
    return [
      ...receipts,
      { kind: 'readiness.submitted', data: { manifest_id, revision_id, verdict, blockers, answers, mismatches } },
      ...(confirms === undefined ? [] : forMember('confirms', () => confirmationDrafts(state, role, confirms))),
    ];
  },

  reply(state, { confirms }, { caller: { role } }) {
    const lists = boundedLists(LIST_COST);
    const readiness = listDisclosedReadiness(lists, state, { role, hasRead: confirms !== undefined })();
    const ready = readiness.filter(({ verdict }) => verdict === 'READY_TO_CODE');
    return {
      readiness,
      both_ready: ready.length === 2,
      to_confirm: viewAnswersToCheck(state, role),
      ...lists.leftOut(),
    };
  },
});

/**
 * Domain 8. Refuses READY_TO_CODE for the first fault found. The error names the wrong parts of the report, but not the
 * expected values.
 */
function refuseUnready({ receipts, fields, unanswered, wrong }: ReadinessFaults, blockers: readonly string[]): void {
  if (blockers.length > 0) refuseInput('blockers', 'READY_TO_CODE cannot have blockers; report BLOCKED instead.');
  if (receipts.length > 0)
    fail('RECEIPTS_MISSING', `You have not confirmed ${receipts.length} of your artifacts.`, {
      filenames: receipts,
    });
  if (fields.length > 0)
    fail('MANIFEST_MISMATCH', `Members of your report that differ from the frozen manifest: ${fields.join(', ')}.`, {
      fields,
    });
  if (unanswered.length > 0) {
    const issues = unanswered.map((id) => ({ path: 'answers', message: `No answer to question ${id}.` }));
    fail(
      'INVALID_INPUT',
      `${counted(unanswered.length, 'readiness question is', 'readiness questions are')} not answered.`,
      { issues },
    );
  }
  if (wrong.length > 0)
    fail('READINESS_ANSWERS_WRONG', `Answers that do not match your handoff: ${wrong.join(', ')}.`, {
      question_ids: wrong,
    });
}

/** Refuses a report BLOCKED after the authorization of the build, because a report cannot stop the build any more. */
const refuseBlocked = ({ profile: { phase }, election }: SessionState, role: Builder): never =>
  fail('WRONG_PHASE', 'The build is authorized: a report BLOCKED no longer stops it.', {
    phase,
    allowed_phases: ['READINESS'],
    hint:
      election.technical_reviewer === role
        ? 'Say what prevents you from building in a finding (submit_finding), which stops the deployment until you resolve it.'
        : 'Say what prevents you from building in a question to the owner (answer_question with question_id "" and answer ""), who can request changes.',
  });

const refuseInput = (path: string, message: string): never =>
  fail('INVALID_INPUT', message, { issues: [{ path, message }] });
