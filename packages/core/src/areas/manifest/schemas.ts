import { z } from 'zod';
import { LEFT_OUT, type LeftOut } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { textPiece } from '../../kernel/operation/text-piece.ts';
import type { Role } from '../../kernel/roles.ts';
import { pickOf } from '../pick.ts';
import type { ManifestArtifact } from './events.ts';
import { AuthorizationsView } from './record.ts';
import { artifactsOf, isReceived } from './rules.ts';
import type { ManifestState } from './state.ts';

export const viewAuthorizations = pickOf(AuthorizationsView);

export const ArtifactView = z.strictObject({
  filename: z.string(),
  sha256: z.string(),
  bytes: z.int(),
  media_type: z.string(),
  received: z.boolean().describe('Whether you confirmed the receipt of this artifact.'),
});
documented.add(ArtifactView, { id: 'Artifact' });

const viewArtifact = pickOf(ArtifactView);

export const viewArtifacts = (manifest: ManifestState, role: Role): z.output<typeof ArtifactView>[] =>
  artifactsOf(manifest, role).map((artifact) => ({
    ...viewArtifact(artifact),
    received: isReceived(manifest, role, artifact.filename),
  }));

export const ArtifactContent = z.strictObject({
  filename: z.string(),
  sha256: z.string().describe('SHA-256 of the whole content as UTF-8.'),
  bytes: z.int().describe('Size of the whole content.'),
  media_type: z.string(),
  content: z.string(),
  ...LEFT_OUT,
});
documented.add(ArtifactContent, { id: 'ArtifactContent' });

export const CONTENT_FROM = z.int().min(0).max(10_000_000).optional().describe('Character to start at, from 0.');

/** Maximum size of the content in an answer, in bytes as `costOf` counts them. */
const CONTENT_COST = 900_000;

/**
 * The content of an artifact from a position on, as much as fits into the answer.
 * @param tool name of the operation that the answer names as the call for the next piece
 */
export function viewContent(
  { filename, sha256, bytes, media_type }: ManifestArtifact,
  whole: string,
  { from = 0, tool }: { readonly from?: number | undefined; readonly tool: string },
): z.output<typeof ArtifactContent> {
  const { text: content, end } = textPiece(whole, from, CONTENT_COST);
  const count = whole.length - end;
  const how = `Call ${tool} with the same filename and from: ${end} (a number of characters).`;
  const leftOut: { left_out?: LeftOut } = count > 0 ? { left_out: { count, how } } : {};
  return { filename, sha256, bytes, media_type, content, ...leftOut };
}
