import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { validationOf } from '../contract/rules.ts';
import { acceptancesDue } from '../decisions/rules.ts';
import { named } from '../listing.ts';
import { preflightFaults } from '../preflight/rules.ts';
import type { SessionState } from '../state.ts';
import type { Blocker } from './blocker.ts';

export function* contractBlockers(state: SessionState): Generator<Blocker> {
  const { election, profile, contract } = state;
  const { contract_author: author } = election;
  if (author === null || profile.phase === 'PLANNING') return;
  if (!contract.latest) {
    yield {
      code: 'NO_REVISION',
      record: { type: 'session', id: 'contract' },
      responsible: author,
      message: 'There is no contract revision yet.',
      resolution: {
        text: 'Write the contract by the schema of get_contract_schema, check it with validate_contract_draft, then submit it with submit_contract.',
        tool: 'submit_contract',
        payload: { contract: '<the whole contract>', expected_parent_id: '', reason: '<your reason>' },
      },
    };
    return;
  }
  const revision = { author, id: contract.latest.revision_id };
  if (contract.requests.length > 0) yield changesRequested(state, revision);
  for (const { code, pointer, message } of validationOf(state).errors) {
    yield invalid(revision, `${code} at ${pointer === '' ? 'the whole contract' : pointer}: ${message}`);
  }
  yield* preflightBlockers(state, revision);
}

interface RevisionToMend {
  readonly author: 'agent_a' | 'agent_b';
  readonly id: string;
}

/** The resolution of a blocker that a request for changes caused. The author has to submit a new revision. */
export const revise = (state: SessionState, id: string): Blocker['resolution'] => ({
  text: `${decisionsFirst(state, id)} submit a new revision with submit_contract, or patch ${id} with patch_contract.${nameRequests(state)}`,
  tool: 'submit_contract',
  payload: {
    contract: '<the whole contract>',
    expected_parent_id: id,
    reason: '<your reason>',
    ...(state.contract.requests.length > 0 && { causes: requestIds(state) }),
  },
});

const requestIds = ({ contract }: SessionState): string[] =>
  contract.requests.map(({ message_id }) => String(message_id));

/** The sentence that asks the author to name the owner's requests as causes. Empty if the owner requested nothing. */
function nameRequests(state: SessionState): string {
  const names = requestIds(state).map((id) => `"${id}"`);
  if (names.length === 0) return '';
  return ` Name ${names.join(' and ')} in causes, so that the owner sees which request you fulfil.`;
}

/**
 * The beginning of the text of a resolution. Names the decisions that must be accepted or replaced before the new
 * revision.
 */
function decisionsFirst({ decisions, contract: { outline } }: SessionState, id: string): string {
  const open = BUILDERS.flatMap((builder) =>
    acceptancesDue(decisions, builder).map(({ decision_id }) => `${decision_id} by ${builder}`),
  );
  if (open.length > 0)
    return `Decisions that are not accepted yet: ${named(open, MAX_NAMED)}. When every decision is accepted, make the requested changes:`;
  const replaced = (outline?.decisions ?? []).filter((one) => lookUp(decisions.all, one)?.status === 'SUPERSEDED');
  return replaced.length > 0
    ? `${id} names superseded decisions: ${named(replaced, MAX_NAMED)}. In place of each, name the decision that replaced it, and make the requested changes:`
    : 'You propose the new position of each decision that the request touches, with submit_decision (same topic, accept: true); wait until the other agent accepts it. Then make the changes:';
}

const MAX_NAMED = 5;

const changesRequested = (state: SessionState, { author, id }: RevisionToMend): Blocker => ({
  code: 'CHANGES_REQUESTED',
  record: { type: 'revision', id },
  responsible: author,
  message: `The owner requested changes of ${id} in ${state.contract.requests.map(({ message_id }) => `message #${message_id}`).join(' and ')}; the text of each request is among the owner's directives.`,
  resolution: revise(state, id),
});

const invalid = ({ author, id }: RevisionToMend, message: string): Blocker => ({
  code: 'VALIDATION_ERROR',
  record: { type: 'revision', id },
  responsible: author,
  message,
  resolution: {
    text: 'Correct the error with patch_contract, or submit a corrected revision with submit_contract.',
    tool: 'patch_contract',
    payload: { expected_parent_id: id, reason: '<your reason>', ops: '<the operations that correct the error>' },
  },
});

function* preflightBlockers(state: SessionState, { author, id }: RevisionToMend): Generator<Blocker> {
  const { preflight, contract } = state;
  // A contract that breaks its schema has no outline, so a preflight has no ids to name. The schema error is a blocker
  // already.
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
  for (const { requirement_id, isUnmapped, missing } of preflightFaults(contract.outline, preflight.mappings)) {
    yield {
      code: isUnmapped ? 'PREFLIGHT_INCOMPLETE' : 'PREFLIGHT_DANGLING',
      record: { type: 'requirement', id: requirement_id },
      responsible: author,
      message: `The mapping of ${requirement_id} names records that ${id} does not have: ${missing.join(', ')}.`,
      resolution: {
        ...resolution,
        text: `Send a new mapping for ${requirement_id} with submit_preflight; the other mappings are kept.`,
      },
    };
  }
}
