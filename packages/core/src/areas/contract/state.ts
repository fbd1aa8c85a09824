import { emptyMap, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import type { Outline } from '../document/outline.ts';
import type { Slice } from '../slice.ts';
import type { Issue } from '../validation/issue.ts';

export interface Revision {
  readonly revisionId: string;
  readonly parentId: string | null;
  readonly contentHash: string;
  /** Size of the contract's RFC 8785 form in bytes of UTF-8. */
  readonly bytes: number;
  readonly title: string;
  readonly reason: string;
  readonly by: Builder;
  readonly at: string;
  /** Number of the event that stored the revision. */
  readonly seq: number;
  /** Numbers of the events with which the owner requested changes to the revision before this one, oldest first. */
  readonly requestSeqs: readonly number[];
}

/** The stored part of a validation. {@link validationOf} adds the issues that depend on decisions. */
export interface Checked {
  readonly validatorVersion: string;
  readonly issues: readonly Issue[];
  readonly errorCount: number;
  readonly warningCount: number;
}

interface ChangeRequest {
  readonly revisionId: string;
  readonly reason: string;
  readonly seq: number;
}

export interface ContractState {
  readonly revisions: PersistentMap<Revision>;
  readonly latest: Revision | null;
  /** Outline of the latest revision. Null if that revision breaks the contract's schema. */
  readonly outline: Outline | null;
  readonly checked: Checked;
  /** The owner's requests for changes to the latest revision, oldest first. */
  readonly requests: readonly ChangeRequest[];
  readonly runs: number;
}

const UNCHECKED: Checked = { validatorVersion: '', issues: [], errorCount: 0, warningCount: 0 };

export const contractSlice: Slice<ContractState> = {
  empty: {
    revisions: emptyMap(),
    latest: null,
    outline: null,
    checked: UNCHECKED,
    requests: [],
    runs: 0,
  },
  folds: {
    'revision.created': (contract, event) => {
      if (!isBuilder(event.actor))
        throw new Error(`An event contains a revision by ${event.actor}, who is not a builder.`);
      return revised(contract, event, event.actor);
    },
    'contract.validated': (contract, event) => {
      const { revision_id, validator_version, stored } = event.data;
      const runs = contract.runs + 1;
      if (revision_id !== contract.latest?.revisionId) return { ...contract, runs };
      const checked = checkedOf(validator_version, stored);
      return { ...contract, checked, runs };
    },
    'changes.requested': (contract, event) => ({ ...contract, requests: [...contract.requests, changeRequest(event)] }),
  },
};

type Requested = Extract<SessionEvent, { kind: 'changes.requested' }>;

const changeRequest = ({ seq, data: { revision_id, reason } }: Requested): ChangeRequest => ({
  revisionId: revision_id,
  reason,
  seq,
});

type Created = Extract<SessionEvent, { kind: 'revision.created' }>;

function revised(contract: ContractState, { data, at, seq }: Created, by: Builder): ContractState {
  const revision: Revision = {
    revisionId: data.revision_id,
    parentId: data.parent_id,
    contentHash: data.content_hash,
    bytes: data.bytes,
    title: data.title,
    reason: data.reason,
    by,
    at,
    seq,
    requestSeqs: contract.requests.map((request) => request.seq),
  };
  return {
    revisions: withEntry(contract.revisions, revision.revisionId, revision),
    latest: revision,
    outline: data.outline,
    checked: checkedOf(data.validator_version, data),
    requests: [],
    runs: contract.runs,
  };
}

const checkedOf = (
  validatorVersion: string,
  { issues, error_count, warning_count }: Pick<Created['data'], 'issues' | 'error_count' | 'warning_count'>,
): Checked => ({ validatorVersion, issues, errorCount: error_count, warningCount: warning_count });
