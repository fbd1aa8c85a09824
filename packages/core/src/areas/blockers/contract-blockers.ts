import { validationOf } from '../contract/rules.ts';
import { preflightFaults } from '../preflight/rules.ts';
import type { SessionState } from '../state.ts';
import type { Blocker } from './blocker.ts';

/**
 * Blockers that the Contract Author must remove: no revision, a revision sent back, validation errors, or a preflight
 * that does not match.
 */
export function* contractBlockers(state: SessionState): Generator<Blocker> {
  const { election, profile, contract } = state;
  const { author } = election;
  if (author === null || profile.phase === 'PLANNING') return;
  if (!contract.latest) {
    yield {
      code: 'NO_REVISION',
      record: { type: 'session', id: 'contract' },
      responsible: author,
      message: 'There is no contract revision yet.',
      resolution: {
        text: 'Write the contract by the schema of get_contract_schema, check it with validate_contract_draft, then submit it.',
        tool: 'submit_contract',
        payload: { contract: '<the whole contract>', expected_parent_id: '', reason: '<your reason>' },
      },
    };
    return;
  }
  const revision = { author, id: contract.latest.revisionId };
  if (contract.sentBack) yield sentBack(revision);
  for (const { code, pointer, message } of validationOf(state).errors) {
    yield invalid(revision, `${code} at ${pointer === '' ? 'the whole contract' : pointer}: ${message}`);
  }
  yield* preflightBlockers(state, revision);
}

interface RevisionToMend {
  readonly author: 'agent_a' | 'agent_b';
  readonly id: string;
}

/** The call that removes a request for changes, made by a builder, the moderator or the owner. */
export const revise = (id: string): Blocker['resolution'] => ({
  text: 'Submit a newer revision with the changes, or patch the latest one.',
  tool: 'submit_contract',
  payload: { contract: '<the whole contract>', expected_parent_id: id, reason: '<your reason>' },
});

const sentBack = ({ author, id }: RevisionToMend): Blocker => ({
  code: 'CHANGES_REQUESTED',
  record: { type: 'revision', id },
  responsible: author,
  message: `The owner requested changes of ${id}; owner_directives of the state gives the text.`,
  resolution: revise(id),
});

const invalid = ({ author, id }: RevisionToMend, message: string): Blocker => ({
  code: 'VALIDATION_ERROR',
  record: { type: 'revision', id },
  responsible: author,
  message,
  resolution: {
    text: 'Correct the error with a patch, or submit a newer revision.',
    tool: 'patch_contract',
    payload: { expected_parent_id: id, reason: '<your reason>', ops: '<the operations that correct it>' },
  },
});

function* preflightBlockers(state: SessionState, { author, id }: RevisionToMend): Generator<Blocker> {
  const { preflight, contract } = state;
  if (!contract.outline) return; // A contract that breaks the schema has no ids to map to; its schema error blocks already.
  const resolution = {
    text: 'Submit all mappings for the latest revision; get_preflight lists the requirements.',
    tool: 'submit_preflight',
    payload: { mappings: '<one mapping per requirement>' },
  };
  if (!preflight) {
    const record = { type: 'revision', id };
    const message = 'No preflight maps the mission requirements to the contract yet.';
    yield { code: 'PREFLIGHT_MISSING', record, responsible: author, message, resolution };
    return;
  }
  for (const { requirementId, isUnmapped, missing } of preflightFaults(contract.outline, preflight.mappings)) {
    yield {
      code: isUnmapped ? 'PREFLIGHT_INCOMPLETE' : 'PREFLIGHT_DANGLING',
      record: { type: 'requirement', id: requirementId },
      responsible: author,
      message: `The mapping of ${requirementId} names records that ${id} does not have: ${missing.join(', ')}.`,
      resolution: { ...resolution, text: 'Map the requirements anew whose mappings do not fit; the others are kept.' },
    };
  }
}
