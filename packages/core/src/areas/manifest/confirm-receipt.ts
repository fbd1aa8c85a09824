import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { isBuilder } from '../../kernel/roles.ts';
import { text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { isAssignedTo, isReceived, readableArtifact, receiptsMissing } from './rules.ts';

/** Spec 4.2. Nothing is stored for an artifact that is confirmed already or is assigned to nobody. */
export const confirmReceipt = defineOperation({
  name: 'confirm_receipt',
  summary: 'Confirm the sha256 of an artifact as you received it.',
  rest: 'POST artifacts/receipt',
  access: { builder: 'submit_final_review' },
  phases: ['READINESS'],
  input: z.strictObject({
    filename: z.string().describe('As list_artifacts shows it.'),
    sha256: text(100),
  }),
  output: z.strictObject({
    filename: z.string(),
    received: z.boolean(),
    receipts_missing: z.array(z.string()),
  }),
  errors: ['UNKNOWN_RECORD', 'ARTIFACT_NOT_ASSIGNED', 'CHECKSUM_MISMATCH'],

  decide({ manifest }, { filename, sha256 }, { role }) {
    const artifact = readableArtifact(manifest, role, filename);
    if (artifact.sha256 !== sha256)
      fail('CHECKSUM_MISMATCH', 'The sha256 is not that of the frozen artifact.', { filename: artifact.filename });
    if (!isAssignedTo(artifact, role) || isReceived(manifest, role, filename)) return [];
    const manifest_id = manifest.current?.manifest_id ?? '';
    return [{ kind: 'receipt.confirmed', data: { manifest_id, filename, sha256 } }];
  },

  reply({ manifest }, { filename }, { caller: { role } }) {
    const missing = isBuilder(role) ? receiptsMissing(manifest, role) : [];
    return {
      filename,
      received: isReceived(manifest, role, filename),
      receipts_missing: missing.map((artifact) => artifact.filename),
    };
  },
});
