import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { At, BuilderRole, RevisionId } from '../fields.ts';

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

export const RevisionView = z.strictObject(RevisionFields).register(documented, { id: 'Revision' });

export interface Revision extends Readonly<z.output<typeof RevisionView>> {
  /** Number of the event that stored the revision. */
  readonly seq: number;
  /** Numbers of the events with which the owner requested changes to the revision before this one, oldest first. */
  readonly request_seqs: readonly number[];
}
