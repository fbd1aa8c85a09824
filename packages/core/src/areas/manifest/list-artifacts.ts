import { z } from 'zod';
import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { Manifest } from './events.ts';
import { AuthorizationsView } from './record.ts';
import { ArtifactView, viewArtifacts, viewAuthorizations } from './schemas.ts';

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
  errors: [],

  reply: ({ manifest }, _input, { caller: { role } }) => ({
    manifest: manifest.current,
    artifacts: viewArtifacts(manifest, role),
    authorizations: viewAuthorizations(manifest),
  }),
});
