import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { readableArtifact, readableArtifacts } from './rules.ts';
import { ArtifactContent, CONTENT_FROM, viewContent } from './schemas.ts';

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
    filename: z.string().describe('As list_artifacts shows it.'),
    from: CONTENT_FROM,
  }),
  output: ArtifactContent,
  errors: ['UNKNOWN_RECORD', 'ARTIFACT_NOT_ASSIGNED'],

  documents: ({ manifest }, { filename }, { role }) =>
    readableArtifacts(manifest, role).flatMap((artifact) => (artifact.filename === filename ? [artifact.sha256] : [])),

  reply({ manifest }, { filename, from }, { caller, document }) {
    const artifact = readableArtifact(manifest, caller.role, filename);
    return viewContent(artifact, document(artifact.sha256), { from, tool: 'fetch_artifact' });
  },
});
