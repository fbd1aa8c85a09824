import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { isBuilder } from '../../kernel/roles.ts';
import { text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { artifactFor } from './rules.ts';
import { ArtifactView, viewArtifacts } from './schemas.ts';

/** Spec 4.2. A repeated confirmation answers 200 and stores nothing. */
export const confirmReceipt = defineOperation({
  name: 'confirm_receipt',
  summary: 'Confirm that you fetched an artifact, with the sha256 of the content that you received.',
  rest: 'POST artifacts/receipt',
  access: { builder: 'submit_final_review' },
  phases: ['READINESS'],
  input: z.strictObject({
    filename: z.string().describe('Exactly as list_artifacts shows it.'),
    sha256: text(100).describe('SHA-256 (lower-case hex) of the content that you fetched.'),
  }),
  output: z.strictObject({ artifacts: z.array(ArtifactView), receipts_missing: z.array(z.string()) }),
  errors: ['UNKNOWN_RECORD', 'ARTIFACT_NOT_ASSIGNED', 'CHECKSUM_MISMATCH'],

  decide({ manifest }, { filename, sha256 }, { role }) {
    const artifact = artifactFor(manifest, role, filename);
    if (artifact.sha256 !== sha256)
      fail('CHECKSUM_MISMATCH', 'This is not the checksum of this artifact.', { filename: artifact.filename });
    const isKnown = isBuilder(role) && manifest.receipts[role].includes(filename);
    const manifest_id = manifest.current?.manifest_id ?? '';
    return isKnown ? [] : [{ kind: 'receipt.confirmed', data: { manifest_id, filename, sha256 } }];
  },

  reply({ manifest }, _input, { caller: { role } }) {
    const artifacts = viewArtifacts(manifest, role);
    return { artifacts, receipts_missing: artifacts.flatMap(({ filename, received }) => (received ? [] : [filename])) };
  },
});
