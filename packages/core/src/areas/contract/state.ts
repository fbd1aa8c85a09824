import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { emptyTable, type Table, withEntry } from '../../kernel/log/persistent-collections.ts';
import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import { Outline } from '../document/outline.ts';
import type { Issue } from '../validation/rule.ts';
import { IssueView } from '../validation/schemas.ts';

/** What the contract itself and the mission decide; where the decisions stand is looked at anew each time. */
const StoredValidation = {
  validator_version: z.string(),
  issues: z.array(IssueView),
  error_count: z.int(),
  warning_count: z.int(),
};

export const contractEvents = defineEvents({
  'revision.created': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    omit: ['outline', 'issues'],
    data: z.strictObject({
      revision_id: z.string(),
      parent_id: z.string().nullable(),
      /** SHA-256 of the RFC 8785 form, which is stored as a document. */
      content_hash: z.string(),
      bytes: z.int(),
      title: z.string(),
      reason: z.string(),
      ...StoredValidation,
      /** Null when the contract breaks its schema. */
      outline: Outline.nullable(),
    }),
  },
  'contract.validated': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    omit: ['issues', 'stored', 'blockers'],
    data: z.strictObject({
      run_id: z.string(),
      revision_id: z.string(),
      content_hash: z.string(),
      validator_version: z.string(),
      /** Issues of every kind, as they stood. */
      issues: z.array(IssueView),
      error_count: z.int(),
      warning_count: z.int(),
      /** The part that never changes for these bytes and this validator. */
      stored: z.strictObject({ issues: z.array(IssueView), error_count: z.int(), warning_count: z.int() }),
      /** Codes and records that blocked certification at that moment. */
      blockers: z.array(z.strictObject({ code: z.string(), record: z.string(), responsible: z.string() })),
    }),
  },
  'changes.requested': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ reason: z.string(), revision_id: z.string() }),
  },
});

export interface Revision {
  readonly revisionId: string;
  readonly parentId: string | null;
  readonly contentHash: string;
  /** Of the RFC 8785 form as UTF-8. */
  readonly bytes: number;
  readonly title: string;
  readonly reason: string;
  readonly by: Builder;
  readonly at: string;
}

/** The stored part of a validation. */
export interface Checked {
  readonly validatorVersion: string;
  readonly issues: readonly Issue[];
  readonly errorCount: number;
  readonly warningCount: number;
}

export interface ContractState {
  readonly revisions: Table<Revision>;
  readonly latest: Revision | null;
  /** Of the latest revision; null when it breaks the schema. */
  readonly outline: Outline | null;
  /** Of the latest revision. */
  readonly checked: Checked;
  /** The revision that the owner sent back, until there is a newer one. */
  readonly sentBack: string | null;
  readonly runs: number;
}

const UNCHECKED: Checked = { validatorVersion: '', issues: [], errorCount: 0, warningCount: 0 };

export const emptyContract: ContractState = {
  revisions: emptyTable(),
  latest: null,
  outline: null,
  checked: UNCHECKED,
  sentBack: null,
  runs: 0,
};

export function evolveContract(contract: ContractState, event: SessionEvent): ContractState {
  switch (event.kind) {
    case 'revision.created':
      if (!isBuilder(event.actor)) throw new Error(`The log lets ${event.actor} write a revision.`);
      return revised(contract, event.data, event.actor, event.at);
    case 'contract.validated': {
      const { revision_id, validator_version, stored } = event.data;
      const runs = contract.runs + 1;
      if (revision_id !== contract.latest?.revisionId) return { ...contract, runs };
      const checked = checkedOf(validator_version, stored);
      return { ...contract, checked, runs };
    }
    case 'changes.requested':
      return { ...contract, sentBack: event.data.revision_id };
    default:
      return contract;
  }
}

type Created = Extract<SessionEvent, { kind: 'revision.created' }>['data'];

function revised(contract: ContractState, data: Created, by: Builder, at: string): ContractState {
  const revision: Revision = {
    revisionId: data.revision_id,
    parentId: data.parent_id,
    contentHash: data.content_hash,
    bytes: data.bytes,
    title: data.title,
    reason: data.reason,
    by,
    at,
  };
  return {
    revisions: withEntry(contract.revisions, revision.revisionId, revision),
    latest: revision,
    outline: data.outline,
    checked: checkedOf(data.validator_version, data),
    sentBack: null,
    runs: contract.runs,
  };
}

const checkedOf = (
  validatorVersion: string,
  { issues, error_count, warning_count }: Pick<Created, 'issues' | 'error_count' | 'warning_count'>,
): Checked => ({ validatorVersion, issues, errorCount: error_count, warningCount: warning_count });
