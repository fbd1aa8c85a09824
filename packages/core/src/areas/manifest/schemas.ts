import { z } from 'zod';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import { artifactsOf } from './rules.ts';
import type { ManifestState } from './state.ts';

/** The three flags that only the owner sets. */
export const AuthorizationsView = z.strictObject({
  build_authorized: z.boolean(),
  deployment_authorized: z.boolean(),
  activation_authorized: z.boolean(),
});

export const viewAuthorizations = (manifest: ManifestState): z.output<typeof AuthorizationsView> => ({
  build_authorized: manifest.isBuildAuthorized,
  deployment_authorized: manifest.isDeploymentAuthorized,
  activation_authorized: manifest.isActivationAuthorized,
});

export const ArtifactView = z.strictObject({
  filename: z.string(),
  sha256: z.string(),
  bytes: z.int(),
  media_type: z.string(),
  received: z.boolean().describe('Whether you confirmed its receipt.'),
});

/** The role's own artifacts and whether their receipt is confirmed. */
export const viewArtifacts = (manifest: ManifestState, role: Role): z.output<typeof ArtifactView>[] =>
  artifactsOf(manifest, role).map(({ filename, sha256, bytes, media_type }) => ({
    filename,
    sha256,
    bytes,
    media_type,
    received: isBuilder(role) && manifest.receipts[role].includes(filename),
  }));

/** One artifact with its content. */
export const ArtifactContent = z.strictObject({
  filename: z.string(),
  sha256: z.string().describe('SHA-256 of the content as UTF-8.'),
  bytes: z.int(),
  media_type: z.string(),
  content: z.string(),
});
