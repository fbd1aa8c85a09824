import type { z } from 'zod';
import { emptyMap, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import type { Outline } from '../document/outline.ts';
import { pickOf } from '../pick.ts';
import type { Slice } from '../slice.ts';
import { StoredValidation } from './events.ts';
import { type Revision, RevisionView } from './record.ts';

/** The stored part of a validation. {@link validationOf} adds the issues that depend on decisions. */
export type Checked = Readonly<z.output<typeof StoredValidation>>;

const checkedOf = pickOf(StoredValidation);
const givenBy = pickOf(RevisionView);

interface ChangeRequest {
  readonly revision_id: string;
  readonly reason: string;
  readonly message_id: number;
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

const UNCHECKED: Checked = { validator_version: '', issues: [], error_count: 0, warning_count: 0 };

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
      if (revision_id !== contract.latest?.revision_id) return { ...contract, runs };
      return { ...contract, checked: { validator_version, ...stored }, runs };
    },
    'changes.requested': (contract, { seq, data }) => ({
      ...contract,
      requests: [...contract.requests, { ...data, message_id: seq }],
    }),
  },
};

type Created = Extract<SessionEvent, { kind: 'revision.created' }>;

function revised(contract: ContractState, { data, at, seq }: Created, by: Builder): ContractState {
  const revision: Revision = {
    ...givenBy(data),
    author: by,
    created_at: at,
    seq,
    request_seqs: contract.requests.map(({ message_id }) => message_id),
  };
  return {
    revisions: withEntry(contract.revisions, revision.revision_id, revision),
    latest: revision,
    outline: data.outline,
    checked: checkedOf(data),
    requests: [],
    runs: contract.runs,
  };
}
