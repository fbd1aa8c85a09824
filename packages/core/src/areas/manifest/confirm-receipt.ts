import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import { text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { isAssignedTo, isReceived, readableArtifact, receiptsMissing } from './rules.ts';
import type { ManifestState } from './state.ts';

const Receipt = {
  filename: z.string().describe('Exactly as list_artifacts shows it.'),
  sha256: text(100).describe('SHA-256 of the content, in hex.'),
};
type Receipt = z.output<z.ZodObject<typeof Receipt>>;

/** Spec 4.2. Nothing is stored for an artifact that is confirmed already or is assigned to nobody. */
export const confirmReceipt = defineOperation({
  name: 'confirm_receipt',
  summary: 'Confirm the sha256 of an artifact as you received it.',
  rest: 'POST artifacts/receipt',
  access: { builder: 'submit_final_review' },
  phases: ['READINESS'],
  input: z.strictObject({
    ...Receipt,
    others: z.array(z.strictObject(Receipt)).max(100).optional().describe('Further receipts; all or none are stored.'),
  }),
  output: z.strictObject({
    filename: z.string(),
    received: z.boolean(),
    receipts_missing: z.array(z.string()),
  }),
  errors: ['UNKNOWN_RECORD', 'ARTIFACT_NOT_ASSIGNED', 'CHECKSUM_MISMATCH'],

  decide({ manifest }, { others = [], ...first }, { role }) {
    const receipts = new Map([first, ...others].map((receipt) => [receipt.filename, receipt]));
    for (const receipt of [first, ...others]) checkReceipt(manifest, role, receipt);
    const manifest_id = manifest.current?.manifest_id ?? '';
    return [...receipts.values()]
      .filter(({ filename }) => isDue(manifest, role, filename))
      .map((receipt) => ({ kind: 'receipt.confirmed', data: { manifest_id, ...receipt } }));
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

function checkReceipt(manifest: ManifestState, role: Role, { filename, sha256 }: Receipt): void {
  const artifact = readableArtifact(manifest, role, filename);
  if (artifact.sha256 !== sha256)
    fail('CHECKSUM_MISMATCH', 'The sha256 is not that of the frozen artifact.', { filename: artifact.filename });
}

const isDue = (manifest: ManifestState, role: Role, filename: string): boolean =>
  isAssignedTo(readableArtifact(manifest, role, filename), role) && !isReceived(manifest, role, filename);
