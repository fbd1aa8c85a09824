import { z } from 'zod';
import { frozenArtifact } from '../../manifest/rules.ts';
import { ArtifactContent, CONTENT_FROM, viewContent } from '../../manifest/schemas.ts';
import { defineOperation } from '../../operation.ts';

/** Reads an artifact. The owner can read all artifacts, also the handoffs of both builders. */
export const artifact = defineOperation({
  name: 'artifact',
  summary: 'Read any artifact of the frozen manifest, including the handoffs of the agents.',
  access: { owner: true },
  input: z.strictObject({
    filename: z.string().describe('The filename, exactly as in the manifest.'),
    from: CONTENT_FROM,
  }),
  output: ArtifactContent,
  errors: ['UNKNOWN_RECORD'],

  documents: ({ manifest: { current } }, { filename }) =>
    (current?.artifacts ?? []).flatMap((frozen) => (frozen.filename === filename ? [frozen.sha256] : [])),

  reply({ manifest }, { filename, from }, { document }) {
    const artifact = frozenArtifact(manifest, filename);
    return viewContent(artifact, document(artifact.sha256), { from, tool: 'artifact' });
  },
});
