import { z } from 'zod';
import { frozenArtifact } from '../manifest/rules.ts';
import { ArtifactContent } from '../manifest/schemas.ts';
import { defineOperation } from '../operation.ts';

/** The owner reads what each agent was given, both handoffs included. */
export const artifact = defineOperation({
  name: 'artifact',
  summary: 'Read one artifact of the frozen manifest, whoever it is assigned to.',
  access: { owner: true },
  input: z.strictObject({ filename: z.string().describe('Exactly as the manifest names it.') }),
  output: ArtifactContent,
  errors: ['UNKNOWN_RECORD'],

  documents: ({ manifest: { current } }, { filename }) =>
    (current?.artifacts ?? []).flatMap((frozen) => (frozen.filename === filename ? [frozen.sha256] : [])),

  reply({ manifest }, input, { document }) {
    const { filename, sha256, bytes, media_type } = frozenArtifact(manifest, input.filename);
    return { filename, sha256, bytes, media_type, content: document(sha256) };
  },
});
