import { z } from 'zod';
import { isBuilder } from '../../kernel/roles.ts';
import { NoInput, text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { Manifest } from './events.ts';
import {
  ArtifactContent,
  ArtifactView,
  CONTENT_FROM,
  documentsOf,
  isReceived,
  Receipts,
  readableArtifact,
  readableArtifacts,
  receiptDrafts,
  receiptsMissing,
  viewArtifacts,
  viewAttached,
  viewAuthorizations,
  viewContent,
} from './rules.ts';
import { AuthorizationsView } from './state.ts';

/**
 * Spec 4.2. Stores nothing for an artifact that the caller has already confirmed. Also stores nothing for an artifact
 * that is assigned to nobody.
 */
export const confirmReceipt = defineOperation({
  name: 'confirm_receipt',
  summary: 'Confirm artifacts by the sha256 you computed.',
  rest: 'POST artifacts/receipt',
  access: { builder: 'submit_final_review' },
  phases: ['READINESS'],
  input: z.strictObject({
    filename: z.string(),
    sha256: text(100),
    others: Receipts.optional().describe('sha256 by filename'),
  }),
  output: z.strictObject({
    filename: z.string(),
    received: z.boolean(),
    receipts_missing: z.array(z.string()),
  }),
  errors: ['UNKNOWN_RECORD', 'ARTIFACT_NOT_ASSIGNED', 'CHECKSUM_MISMATCH'],

  decide: ({ manifest }, { filename, sha256, others }, { role }) =>
    receiptDrafts(manifest, role, { [filename]: sha256, ...others, [filename]: sha256 }),

  reply({ manifest }, { filename }, { caller: { role } }) {
    const missing = isBuilder(role) ? receiptsMissing(manifest, role) : [];
    return {
      filename,
      received: isReceived(manifest, role, filename),
      receipts_missing: missing.map((artifact) => artifact.filename),
    };
  },
});

/**
 * Spec 4.2 and 5.6. The filename must be exactly a filename of the manifest. It is not normalised and is not used as a
 * path.
 */
export const fetchArtifact = defineOperation({
  name: 'fetch_artifact',
  summary: 'Fetch the content and sha256 of an artifact.',
  rest: 'GET artifacts/fetch',
  access: { builder: 'get_final_plan' },
  input: z.strictObject({
    filename: z.string().describe('As list_artifacts shows it, or the sha256 of an attachment.'),
    from: CONTENT_FROM,
  }),
  output: ArtifactContent,
  errors: ['UNKNOWN_RECORD', 'ARTIFACT_NOT_ASSIGNED'],

  documents: (state, { filename }, { role }) => documentsOf(state, filename, readableArtifacts(state.manifest, role)),

  reply(state, input, { caller, document }) {
    const { filename, from } = input;
    const attached = viewAttached(state, input, { document, tool: 'fetch_artifact' });
    if (attached) return attached;
    const artifact = readableArtifact(state.manifest, caller.role, filename);
    return viewContent(artifact, document(artifact.sha256), { from, tool: 'fetch_artifact' });
  },
});

/** Spec 4.2. `manifest` lists every artifact. `artifacts` lists only the artifacts that are assigned to the caller. */
export const listArtifacts = defineOperation({
  name: 'list_artifacts',
  summary: 'List all artifacts, the frozen manifest and the authorizations.',
  rest: 'GET artifacts',
  access: { builder: 'get_final_plan' },
  input: NoInput,
  output: z.strictObject({
    manifest: Manifest.nullable().describe('Null before the owner approves and after the owner requests changes.'),
    artifacts: z.array(ArtifactView),
    authorizations: AuthorizationsView,
  }),

  reply: ({ manifest }, _input, { caller: { role } }) => ({
    manifest: manifest.current,
    artifacts: viewArtifacts(manifest, role),
    authorizations: viewAuthorizations(manifest),
  }),
});
