import { fail } from '../../kernel/errors.ts';
import type { Builder, Role } from '../../kernel/roles.ts';
import { echoName } from '../../kernel/safe-echo.ts';
import type { ManifestArtifact } from './events.ts';
import type { ManifestState } from './state.ts';

const isAssignedTo = ({ assigned_to }: ManifestArtifact, role: Role): boolean =>
  assigned_to.some((builder) => builder === role);

/** Artifacts of the current manifest that are assigned to the role. */
export const artifactsOf = ({ current }: ManifestState, role: Role): ManifestArtifact[] =>
  (current?.artifacts ?? []).filter((artifact) => isAssignedTo(artifact, role));

/** The artifact with exactly this name, whoever it is assigned to. */
export function frozenArtifact({ current }: ManifestState, filename: string): ManifestArtifact {
  const record = { type: 'artifact', id: echoName(filename) };
  return (
    current?.artifacts.find((candidate) => candidate.filename === filename) ??
    fail('UNKNOWN_RECORD', 'The frozen manifest has no artifact with this name.', { record })
  );
}

/** Returns the artifact with exactly this name if it is assigned to the role; else refuses. */
export function artifactFor(manifest: ManifestState, role: Role, filename: string): ManifestArtifact {
  const artifact = frozenArtifact(manifest, filename);
  if (!isAssignedTo(artifact, role))
    fail('ARTIFACT_NOT_ASSIGNED', 'This artifact is assigned only to the other agent.');
  return artifact;
}

/** Artifacts of the builder whose receipt it has not confirmed. */
export const receiptsMissing = (manifest: ManifestState, builder: Builder): ManifestArtifact[] =>
  artifactsOf(manifest, builder).filter(({ filename }) => !manifest.receipts[builder].includes(filename));
