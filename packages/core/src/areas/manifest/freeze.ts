import { canonicalHash, canonicalJson } from '../../kernel/canonical.ts';
import { sha256Hex } from '../../kernel/event.ts';
import { lookUp } from '../../kernel/history.ts';
import { BUILDERS, type Builder } from '../../kernel/roles.ts';
import type { Contract } from '../contract/contract.ts';
import { renderContract } from '../rendering/contract.ts';
import { handshakeDocument, verificationPlanDocument } from '../rendering/documents.ts';
import { type HandoffFacts, renderHandoff } from '../rendering/handoff.ts';
import type { SessionState } from '../state.ts';
import { handoffName } from './names.ts';
import type { Manifest, ManifestArtifact } from './state.ts';

interface Artifact {
  readonly filename: string;
  readonly media_type: string;
  readonly assigned_to: readonly Builder[];
  readonly content: string;
}

interface Frozen {
  readonly manifest: Manifest;
  /** The contents, to be stored as documents. */
  readonly contents: readonly string[];
}

/** What an approval freezes: the artifacts of exactly this contract, and the manifest that names them. */
export function freeze(state: SessionState, contract: Contract, frozenAt: string): Frozen {
  const facts = factsOf(state, contract);
  const sharedContract = canonicalJson(contract);
  const handshake = canonicalJson(handshakeDocument(contract, facts));
  const artifacts = [
    shared('shared-contract.json', JSON_TYPE, sharedContract),
    shared('contract.md', MARKDOWN_TYPE, renderContract(contract)),
    shared('handshake.json', JSON_TYPE, handshake),
    shared('verification-plan.json', JSON_TYPE, canonicalJson(verificationPlanDocument(contract, facts))),
    ...BUILDERS.map((builder) => handoff(contract, builder, facts)),
    ...contract.artifacts.map(contractArtifact),
  ];
  const manifest = {
    manifest_id: `m_${state.manifest.count + 1}`,
    revision_id: facts.revisionId,
    content_hash: facts.contentHash,
    shared_contract_sha256: sha256Hex(sharedContract),
    handshake_sha256: sha256Hex(handshake),
    fixture_version: contract.fixture_version,
    artifacts: artifacts.map(listed),
    frozen_at: frozenAt,
  };
  return {
    manifest: { ...manifest, manifest_sha256: canonicalHash(manifest) },
    contents: artifacts.map(({ content }) => content),
  };
}

const JSON_TYPE = 'application/json';
const MARKDOWN_TYPE = 'text/markdown';

const shared = (filename: string, media_type: string, content: string): Artifact => ({
  filename,
  media_type,
  assigned_to: BUILDERS,
  content,
});

const handoff = (contract: Contract, builder: Builder, facts: HandoffFacts): Artifact => ({
  filename: handoffName(builder),
  media_type: MARKDOWN_TYPE,
  assigned_to: [builder],
  content: renderHandoff(contract, builder, facts),
});

const contractArtifact = ({ filename, media_type, audience, content }: Contract['artifacts'][number]): Artifact => ({
  filename,
  media_type,
  assigned_to: audience === 'both' ? BUILDERS : [audience],
  content,
});

const listed = ({ filename, media_type, assigned_to, content }: Artifact): ManifestArtifact => ({
  filename,
  sha256: sha256Hex(content),
  bytes: Buffer.byteLength(content),
  media_type,
  assigned_to: [...assigned_to],
});

function factsOf({ contract, profile, decisions }: SessionState, { decisions: ids }: Contract): HandoffFacts {
  const { latest } = contract;
  if (!latest) throw new Error('There is no revision to freeze.');
  return {
    revisionId: latest.revisionId,
    contentHash: latest.contentHash,
    mission: {
      title: profile.title,
      objective: profile.objective,
      guardrails: profile.guardrails,
      requirements: profile.requirements,
      agents: profile.agents,
    },
    decisions: ids.flatMap((id) => {
      const decision = lookUp(decisions.all, id);
      return decision ? [{ decisionId: id, topic: decision.topic, position: decision.position }] : [];
    }),
  };
}
