import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/memoize.ts';
import type { Role } from '../../kernel/roles.ts';
import type { Outline } from '../document/outline.ts';
import type { SessionState } from '../state.ts';
import { decisionFacts } from '../validation/facts.ts';
import type { Issue } from '../validation/issue.ts';
import { errorsIn, warningsIn } from '../validation/schemas.ts';
import { checkDecisions } from '../validation/validate.ts';
import type { Revision } from './record.ts';
import type { Checked } from './state.ts';

export function revisionOf({ contract: { revisions } }: SessionState, id: string): Revision {
  return lookUp(revisions, id) ?? unknownRevision(id);
}

export function unknownRevision(id: string): never {
  return fail('UNKNOWN_RECORD', `There is no revision ${id} in this session.`, { record: { type: 'revision', id } });
}

export function noRevisionYet(): never {
  return fail('UNKNOWN_RECORD', 'There is no contract revision yet.', {
    hint: 'Send this call again when the Contract Author has submitted the first revision with submit_contract.',
  });
}

export const isLaterRevision = (id: string, other: string): boolean => Number(id.slice(2)) > Number(other.slice(2));

export function requireAuthor({ election: { contract_author } }: SessionState, role: Role): void {
  if (contract_author === role) return;
  const message = contract_author
    ? `Only ${contract_author}, the Contract Author, can make this call.`
    : 'Only the Contract Author can make this call, and no Contract Author is elected yet.';
  fail('NOT_CONTRACT_AUTHOR', message, { contract_author });
}

/**
 * Domain 7.2. Returns the latest revision, or null if there is none. Refuses a call that names another revision as parent.
 */
export function requireParent({ contract: { latest } }: SessionState, expectedParentId: string): Revision | null {
  const latest_revision_id = latest?.revision_id ?? null;
  if (expectedParentId !== (latest_revision_id ?? '')) {
    const message = latest ? `The latest revision is ${latest.revision_id}.` : 'There is no revision yet.';
    fail('STALE_PARENT', `${message} You named "${expectedParentId}" as the parent.`, { latest_revision_id });
  }
  return latest;
}

/** Returns the latest revision. Refuses a call that names another id or another hash. */
export function requireLatest(state: SessionState, revisionId: string, contentHash: string): Revision {
  const { latest } = state.contract;
  const named = revisionOf(state, revisionId);
  if (!latest || named.revision_id !== latest.revision_id) {
    return fail('STALE_REVISION', `${revisionId} is not the latest revision; the latest is ${latest?.revision_id}.`, {
      latest_revision_id: latest?.revision_id,
      latest_content_hash: latest?.content_hash,
    });
  }
  if (contentHash !== latest.content_hash) {
    fail('HASH_MISMATCH', `The content_hash that you sent is not that of ${revisionId}.`, { revision_id: revisionId });
  }
  return latest;
}

export interface Validation {
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
  readonly error_count: number;
  readonly warning_count: number;
}

/**
 * The validation of the latest revision: its stored issues, and the issues that depend on the decisions in this state.
 */
export const validationOf = memoizeBy((state: SessionState): Validation => {
  const { checked, outline } = state.contract;
  return validationFrom(state, checked, outline);
});

/** Like {@link validationOf} for any revision. The caller passes the stored issues and the outline of that revision. */
export function validationFrom(
  state: SessionState,
  { issues, error_count, warning_count }: Omit<Checked, 'validator_version'>,
  outline: Pick<Outline, 'decisions' | 'cited'> | null,
): Validation {
  const found = outline ? checkDecisions(outline.decisions, decisionFacts(state), outline.cited) : [];
  const all = [...issues, ...found];
  return {
    errors: errorsIn(all),
    warnings: warningsIn(all),
    error_count: error_count + errorsIn(found).length,
    warning_count: warning_count + warningsIn(found).length,
  };
}
