import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import { BuilderRole } from '../fields.ts';

const ManifestArtifact = z.strictObject({
  filename: z.string(),
  sha256: z.string(),
  bytes: z.int().describe('Bytes of UTF-8.'),
  media_type: z.string(),
  assigned_to: z.array(BuilderRole),
});

/** What the owner's approval freezes (domain 8). */
export const Manifest = z.strictObject({
  manifest_id: z.string(),
  revision_id: z.string(),
  content_hash: z.string(),
  shared_contract_sha256: z.string(),
  handshake_sha256: z.string(),
  fixture_version: z.string(),
  artifacts: z.array(ManifestArtifact),
  frozen_at: z.string(),
  manifest_sha256: z.string().describe('SHA-256 of the RFC 8785 form of the manifest without this member.'),
});
documented.add(Manifest, { id: 'Manifest' });
export type Manifest = z.output<typeof Manifest>;
export type ManifestArtifact = z.output<typeof ManifestArtifact>;

/** The commits that every certification check held for. */
const Released = z.strictObject({
  manifest_id: z.string(),
  commits: z.strictObject({ agent_a: z.string(), agent_b: z.string() }),
});

export const manifestEvents = defineEvents({
  'contract.approved': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ revision_id: z.string(), content_hash: z.string(), manifest: Manifest }),
  },
  'receipt.confirmed': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ manifest_id: z.string(), filename: z.string(), sha256: z.string() }),
  },
  'build.authorized': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ manifest_id: z.string(), revision_id: z.string(), content_hash: z.string() }),
  },
  'deployment.authorized': { v: 1, seenBy: 'everyone', message: true, data: Released },
  'activation.authorized': { v: 1, seenBy: 'everyone', message: true, data: Released },
});

export interface ManifestState {
  /** How many were frozen so far. */
  readonly count: number;
  /** The one in force; null before the approval and after the owner requested changes. */
  readonly current: Manifest | null;
  /** Filenames whose receipt each builder confirmed on the current manifest. */
  readonly receipts: Readonly<Record<Builder, readonly string[]>>;
  readonly isBuildAuthorized: boolean;
  readonly isDeploymentAuthorized: boolean;
  readonly isActivationAuthorized: boolean;
}

const NO_RECEIPTS = { agent_a: [], agent_b: [] } as const;

export const emptyManifest: ManifestState = {
  count: 0,
  current: null,
  receipts: NO_RECEIPTS,
  isBuildAuthorized: false,
  isDeploymentAuthorized: false,
  isActivationAuthorized: false,
};

export function evolveManifest(state: ManifestState, event: SessionEvent): ManifestState {
  switch (event.kind) {
    case 'contract.approved':
      return { ...emptyManifest, count: state.count + 1, current: event.data.manifest };
    case 'receipt.confirmed':
      return isBuilder(event.actor) ? received(state, event.actor, event.data.filename) : state;
    case 'build.authorized':
      return { ...state, isBuildAuthorized: true };
    case 'deployment.authorized':
      return { ...state, isDeploymentAuthorized: true };
    case 'activation.authorized':
      return { ...state, isActivationAuthorized: true };
    case 'handshake.declared':
      return event.data.commit_changed
        ? { ...state, isDeploymentAuthorized: false, isActivationAuthorized: false }
        : state;
    case 'changes.requested':
      return { ...emptyManifest, count: state.count };
    default:
      return state;
  }
}

const received = (state: ManifestState, by: Builder, filename: string): ManifestState => ({
  ...state,
  receipts: { ...state.receipts, [by]: [...state.receipts[by], filename] },
});
