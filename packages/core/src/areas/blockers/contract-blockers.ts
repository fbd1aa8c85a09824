import { validationOf } from '../contract/rules.ts';
import { preflightFaults } from '../preflight/rules.ts';
import type { SessionState } from '../state.ts';
import type { Blocker } from './blocker.ts';

/**
 * Blockers that the Contract Author must remove: a missing revision, a request for changes by the owner, validation errors,
 * and a preflight that does not match the contract.
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

/** The call that answers a request for changes, whether a builder, the moderator or the owner made it. */
export const revise = (id: string): Blocker['resolution'] => ({
  text: 'Make the requested changes: submit a new revision with submit_contract, or patch the latest one with patch_contract.',
  tool: 'submit_contract',
  payload: { contract: '<the whole contract>', expected_parent_id: id, reason: '<your reason>' },
});

const sentBack = ({ author, id }: RevisionToMend): Blocker => ({
  code: 'CHANGES_REQUESTED',
  record: { type: 'revision', id },
  responsible: author,
  message: `The owner requested changes of ${id}; the text is among the owner's directives.`,
  resolution: revise(id),
});

const invalid = ({ author, id }: RevisionToMend, message: string): Blocker => ({
  code: 'VALIDATION_ERROR',
  record: { type: 'revision', id },
  responsible: author,
  message,
  resolution: {
    text: 'Correct the error with patch_contract, or submit a corrected revision with submit_contract.',
    tool: 'patch_contract',
    payload: { expected_parent_id: id, reason: '<your reason>', ops: '<the operations that correct it>' },
  },
});

function* preflightBlockers(state: SessionState, { author, id }: RevisionToMend): Generator<Blocker> {
  const { preflight, contract } = state;
  // Without an outline the contract breaks its schema, and a preflight could map requirements to no ids. The schema error
  // is a blocker already.
  if (!contract.outline) return;
  const resolution = {
    text: 'Map every requirement to ids of the latest revision with submit_preflight; get_preflight lists the requirements.',
    tool: 'submit_preflight',
    payload: { mappings: '<one mapping per requirement>' },
  };
  if (!preflight) {
    const record = { type: 'revision', id };
    const message = 'The mission requirements are not yet mapped to the contract: no preflight was submitted.';
    yield { code: 'PREFLIGHT_MISSING', record, responsible: author, message, resolution };
    return;
  }
  for (const { requirementId, isUnmapped, missing } of preflightFaults(contract.outline, preflight.mappings)) {
    yield {
      code: isUnmapped ? 'PREFLIGHT_INCOMPLETE' : 'PREFLIGHT_DANGLING',
      record: { type: 'requirement', id: requirementId },
      responsible: author,
      message: `The mapping of ${requirementId} names records that ${id} does not have: ${missing.join(', ')}.`,
      resolution: {
        ...resolution,
        text: 'Send new mappings for these requirements with submit_preflight; the other mappings are kept.',
      },
    };
  }
}
