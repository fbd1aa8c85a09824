import { z } from 'zod';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/memoize.ts';
import { boundedLists } from '../../kernel/operation/bounded-lists.ts';
import type { DecideEnv, ReadDocument } from '../../kernel/operation/operation.ts';
import type { SessionDraft } from '../catalog.ts';
import { At, RevisionId } from '../fields.ts';
import { LIST_COST, pageCall } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import { stoppingTasks } from '../tasks/agent-tasks.ts';
import { errorsIn, listIssues, ValidationFields, viewIssue, warningsIn } from '../validation/schemas.ts';
import { VALIDATOR_VERSION } from '../validation/validate.ts';
import { contractEvents } from './events.ts';
import type { Revision } from './record.ts';
import { noRevisionYet, revisionOf, validationFrom } from './rules.ts';
import { checkOf, repeatedIn, storedValidation } from './submission.ts';

const Run = contractEvents['contract.validated'].data;

/**
 * Spec 4.2. Stores the result for the record only: no rule reads it, because blockers are computed from the current
 * state.
 */
export const revalidateContract = defineOperation({
  name: 'revalidate_contract',
  summary: 'Validate a revision again.',
  rest: 'POST contract/revalidate',
  access: { builder: 'get_final_plan' },
  input: z.strictObject({ revision_id: RevisionId.optional() }),
  output: z.strictObject({
    run_id: z.string(),
    revision_id: RevisionId,
    content_hash: z.string(),
    at: At,
    valid: z.boolean(),
    ...ValidationFields,
    blockers: Run.shape.blockers,
  }),
  errors: ['UNKNOWN_RECORD'],

  documents(state, { revision_id }) {
    const revision = revisionFor(state, revision_id);
    return revision ? [revision.content_hash] : [];
  },

  *precompute(state, { revision_id }, _caller, document) {
    const revision = revisionFor(state, revision_id);
    if (!revision) return;
    const value = contractAt(state, revision, document);
    yield checkOf(state, value);
    yield repeatedIn(state, value);
  },

  decide(state, { revision_id }, _caller, env) {
    const revision = revision_id ? revisionOf(state, revision_id) : state.contract.latest;
    return [runDraft(state, revision ?? noRevisionYet(), env)];
  },

  reply(_state, _input, { events: [event] }) {
    const { issues, stored: _stored, ...run } = Run.parse(event?.data);
    const lists = boundedLists(LIST_COST);
    const errors = listIssues(lists, errorsIn(issues));
    const warnings = listIssues(lists, warningsIn(issues));
    const blockers = lists.list({
      records: run.blockers,
      view: (blocker) => blocker,
      how: () => pageCall('list_blockers', 0),
    });
    return {
      ...run,
      at: event?.at ?? '',
      valid: run.error_count === 0,
      errors: errors(),
      warnings: warnings(),
      blockers: blockers(),
      ...lists.leftOut(),
    };
  },
});

const revisionFor = ({ contract }: SessionState, id: string | undefined): Revision | null | undefined =>
  id === undefined ? contract.latest : lookUp(contract.revisions, id);

const contractAt = memoizeBy(
  (_state: SessionState, { content_hash }: Revision, document: ReadDocument): unknown =>
    JSON.parse(document(content_hash)),
  ({ content_hash }) => content_hash,
);

function runDraft(state: SessionState, revision: Revision, { document }: DecideEnv): SessionDraft {
  const { revision_id, content_hash, parent_id } = revision;
  const value = contractAt(state, revision, document);
  const parent = parent_id === null ? null : revisionOf(state, parent_id);
  const { outline, ...stored } = storedValidation(state, value, content_hash, parent);
  const validation = validationFrom(state, stored, outline);
  return {
    kind: 'contract.validated',
    data: {
      run_id: `run_${state.contract.runs + 1}`,
      revision_id,
      content_hash,
      validator_version: VALIDATOR_VERSION,
      issues: [...validation.errors, ...validation.warnings].map(viewIssue),
      error_count: validation.error_count,
      warning_count: validation.warning_count,
      stored,
      blockers: stoppingTasks(state).map(({ due_to: responsible, stops: { code, record } }) => ({
        code,
        record: record.id,
        responsible,
      })),
    },
  };
}
