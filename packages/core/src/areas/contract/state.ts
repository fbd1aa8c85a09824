import { z } from 'zod';
import { emptyMap, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent, Slice } from '../catalog.ts';
import type { Outline } from '../document/contract.ts';
import { At, BuilderRole, RevisionId } from '../fields.ts';
import { pickOf } from '../listing.ts';
import { StoredMapping, StoredValidation } from './events.ts';

export const RevisionFields = {
  revision_id: RevisionId,
  parent_id: RevisionId.nullable(),
  content_hash: z
    .string()
    .describe('SHA-256 of the RFC 8785 form of the contract.')
    .register(documented, { id: 'ContentHash' }),
  title: z.string(),
  bytes: z.int().describe('Bytes of the RFC 8785 form as UTF-8.'),
  author: BuilderRole,
  reason: z.string(),
  causes: z.array(z.string()).optional().describe('Ids of the records that the author named as the causes.'),
  created_at: At,
};

export const RevisionView = namedObject('Revision', RevisionFields);

export interface Revision extends Readonly<z.output<typeof RevisionView>> {
  /** Number of the event that stored the revision. */
  readonly seq: number;
  /** Numbers of the events with which the owner requested changes to the revision before this one, oldest first. */
  readonly request_seqs: readonly number[];
}

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

export const PreflightView = namedObject('Preflight', {
  revision_id: RevisionId.describe('For which it was submitted; the latest if tasks and tests give every mapping.'),
  mappings: z.array(StoredMapping),
  submitted_at: At,
  complete: z.boolean().describe('Whether every mapped id is in the latest revision.'),
  faults: z.array(z.strictObject({ requirement_id: z.string(), missing: z.array(z.string()) })),
});

/** `revision_id` is the revision that was the latest when the preflight was submitted. */
type Preflight = Readonly<Omit<z.output<typeof PreflightView>, 'complete' | 'faults'>>;

export const preflightSlice: Slice<Preflight | null> = {
  empty: null,
  folds: {
    'preflight.submitted': (_, { at, data }) => ({ ...data, submitted_at: at }),
  },
};
