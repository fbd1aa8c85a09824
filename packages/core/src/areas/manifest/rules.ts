import { fail } from '../../kernel/errors.ts';
import { type Builder, isBuilder, type Role } from '../../kernel/roles.ts';
import { echoName, quotedName } from '../../kernel/text/safe-echo.ts';
import type { ManifestArtifact } from './events.ts';
import type { ManifestState } from './state.ts';

export const isAssignedTo = ({ assigned_to }: ManifestArtifact, role: Role): boolean =>
  assigned_to.some((builder) => builder === role);

const isReadableBy = (artifact: ManifestArtifact, role: Role): boolean =>
  artifact.assigned_to.length === 0 || isAssignedTo(artifact, role);

export const artifactsOf = ({ current }: ManifestState, role: Role): ManifestArtifact[] =>
  (current?.artifacts ?? []).filter((artifact) => isAssignedTo(artifact, role));

/** Artifacts of the current manifest that are assigned to the role or to nobody. */
export const readableArtifacts = ({ current }: ManifestState, role: Role): ManifestArtifact[] =>
  (current?.artifacts ?? []).filter((artifact) => isReadableBy(artifact, role));

/** Returns the artifact with exactly this name, whichever role it is assigned to. Refuses an unknown name. */
export function frozenArtifact({ current }: ManifestState, filename: string): ManifestArtifact {
  const record = { type: 'artifact', id: echoName(filename) };
  return (
    current?.artifacts.find((candidate) => candidate.filename === filename) ??
    fail('UNKNOWN_RECORD', `The frozen manifest has no artifact ${quotedName(filename)}.`, { record })
  );
}

/** Returns the artifact with exactly this name. Refuses an unknown name, and an artifact that the role may not read. */
export function readableArtifact(manifest: ManifestState, role: Role, filename: string): ManifestArtifact {
  const artifact = frozenArtifact(manifest, filename);
  if (!isReadableBy(artifact, role))
    fail('ARTIFACT_NOT_ASSIGNED', `Artifact ${echoName(filename)} is assigned only to the other agent.`);
  return artifact;
}

export const isReceived = ({ receipts }: ManifestState, role: Role, filename: string): boolean =>
  isBuilder(role) && receipts[role].includes(filename);

export const receiptsMissing = (manifest: ManifestState, builder: Builder): ManifestArtifact[] =>
  artifactsOf(manifest, builder).filter(({ filename }) => !isReceived(manifest, builder, filename));
