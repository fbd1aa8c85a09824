import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/maps.ts';
import { LEFT_OUT, type LeftOut, textPiece } from '../../kernel/operation/bounded-lists.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { BUILDERS, type Builder, isBuilder, otherBuilder, type Role } from '../../kernel/roles.ts';
import { canonicalHash, canonicalJson, sha256Hex } from '../../kernel/text/hash.ts';
import { listed } from '../../kernel/text/readable.ts';
import { echoName, quotedName } from '../../kernel/text/safe-echo.ts';
import { attachmentOf, encodingOf } from '../attachments/rules.ts';
import type { SessionDraft } from '../catalog.ts';
import { ARTIFACT_NAMES, Contract, type ContractInterface, handoffName } from '../document/contract.ts';
import { text } from '../fields.ts';
import { pickOf } from '../listing.ts';
import { decidedTexts } from '../planning/decisions.ts';
import { type Decisions, isActive, lastReplacement } from '../planning/state.ts';
import { termsOf } from '../profiles.ts';
import { type DecidedText, markdownOf } from '../rendering/contract.ts';
import {
  type HandoffFacts,
  handshakeDocument,
  type ReplacedDecision,
  renderHandoff,
  verificationPlanDocument,
} from '../rendering/handoff.ts';
import type { SessionState } from '../state.ts';
import { citedDecisions, decisionIdsIn } from '../validation/reference-rules.ts';
import type { Manifest, ManifestArtifact } from './events.ts';
import { AuthorizationsView, type ManifestState } from './state.ts';

interface Artifact {
  readonly filename: string;
  readonly media_type: string;
  readonly assigned_to: readonly Builder[];
  readonly content: string;
}

interface Frozen {
  readonly manifest: Manifest;
  /** Contents of the artifacts, to be stored as documents. */
  readonly contents: readonly string[];
  /** The readiness questions that each builder must answer, about the interfaces that it provides or consumes. */
  readonly questions: Readonly<Record<Builder, string[]>>;
}

/**
 * Parses the contract of the latest revision, which has no validation errors.
 * @param text the contract in its RFC 8785 form
 */
const contractOf = memoizeBy((_state: SessionState, text: string): Contract => Contract.parse(JSON.parse(text)));

const handoffOf = memoizeBy(
  (state: SessionState, contract: Contract, builder: Builder): string =>
    renderHandoff(contract, builder, factsOf(state, contract)),
  (_contract, builder) => builder,
);

/** Runs the expensive steps of an approval. The event loop runs after each `yield`. */
export function* precomputeFreeze(state: SessionState, text: string): Generator<unknown> {
  const contract = contractOf(state, text);
  yield contract;
  const { content_hash, decisions } = factsOf(state, contract);
  yield markdownOf({ hash: content_hash, text, decided: decisions, terms: termsOf(state) });
  for (const builder of BUILDERS) yield handoffOf(state, contract, builder);
}

export function freeze(state: SessionState, sharedContract: string, frozenAt: string): Frozen {
  const contract = contractOf(state, sharedContract);
  const facts = factsOf(state, contract);
  const handshake = canonicalJson(handshakeDocument(contract, facts));
  const { content_hash: hash, decisions: decided, terms } = facts;
  const artifacts = [
    { filename: ARTIFACT_NAMES.sharedContract, media_type: JSON_TYPE, assigned_to: BUILDERS, content: sharedContract },
    derived(ARTIFACT_NAMES.contract, MARKDOWN_TYPE, markdownOf({ hash, text: sharedContract, decided, terms })),
    derived(ARTIFACT_NAMES.handshake, JSON_TYPE, handshake),
    derived(ARTIFACT_NAMES.verificationPlan, JSON_TYPE, canonicalJson(verificationPlanDocument(contract, facts))),
    ...BUILDERS.map((builder) => handoff(builder, handoffOf(state, contract, builder))),
    ...contract.artifacts.map(contractArtifact),
  ];
  const manifest = {
    manifest_id: `m_${state.manifest.count + 1}`,
    revision_id: facts.revision_id,
    content_hash: facts.content_hash,
    shared_contract_sha256: sha256Hex(sharedContract),
    handshake_sha256: sha256Hex(handshake),
    fixture_version: contract.fixture_version,
    artifacts: artifacts.map(listedArtifact),
    frozen_at: frozenAt,
  };
  return {
    manifest: { ...manifest, manifest_sha256: canonicalHash(manifest) },
    contents: artifacts.map(({ content }) => content),
    questions: { agent_a: interfaceQuestions(contract, 'agent_a'), agent_b: interfaceQuestions(contract, 'agent_b') },
  };
}

const JSON_TYPE = 'application/json';
const MARKDOWN_TYPE = 'text/markdown';

/**
 * An artifact that the service generates from the shared contract. Both builders can fetch it, and neither has to
 * confirm it.
 */
const derived = (filename: string, media_type: string, content: string): Artifact => ({
  filename,
  media_type,
  assigned_to: [],
  content,
});

const handoff = (builder: Builder, content: string): Artifact => ({
  filename: handoffName(builder),
  media_type: MARKDOWN_TYPE,
  assigned_to: [builder],
  content,
});

const contractArtifact = ({ filename, media_type, audience, content }: Contract['artifacts'][number]): Artifact => ({
  filename,
  media_type,
  assigned_to: audience === 'both' ? BUILDERS : [audience],
  content,
});

const listedArtifact = ({ filename, media_type, assigned_to, content }: Artifact): ManifestArtifact => ({
  filename,
  sha256: sha256Hex(content),
  bytes: Buffer.byteLength(content),
  media_type,
  assigned_to: [...assigned_to],
});

function factsOf(state: SessionState, named: Contract): HandoffFacts {
  const { contract, profile, decisions } = state;
  const { latest } = contract;
  if (!latest) throw new Error('There is no revision to freeze.');
  const decided = decidedTexts(decisions, named.decisions);
  return {
    revision_id: latest.revision_id,
    content_hash: latest.content_hash,
    mission: profile,
    terms: termsOf(state),
    decisions: decided,
    replaced: replacedIn(decisions, named, decided),
  };
}

/** The decisions that are no longer active, but that the contract or one of its decisions cites. Oldest first. */
function replacedIn(decisions: Decisions, contract: Contract, decided: readonly DecidedText[]): ReplacedDecision[] {
  const cited = new Set([
    ...citedDecisions(contract).map(({ id }) => id),
    ...decided.flatMap(({ topic, position }) => decisionIdsIn(`${topic} ${position}`)),
  ]);
  return valuesOf(decisions.all).flatMap((decision) =>
    cited.has(decision.decision_id) && !isActive(decision)
      ? [
          {
            id: decision.decision_id,
            status: decision.status,
            replacement: lastReplacement(decisions, decision.decision_id)?.decision_id,
          },
        ]
      : [],
  );
}

const isAssignedTo = ({ assigned_to }: ManifestArtifact, role: Role): boolean =>
  assigned_to.some((builder) => builder === role);

const isReadableBy = (artifact: ManifestArtifact, role: Role): boolean =>
  artifact.assigned_to.length === 0 || isAssignedTo(artifact, role);

const artifactsOf = ({ current }: ManifestState, role: Role): ManifestArtifact[] =>
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

const isConfirmed = ({ receipts }: ManifestState, role: Role, filename: string): boolean =>
  isBuilder(role) && receipts[role].includes(filename);

/**
 * Whether a builder has an artifact. Both have the shared contract: it is approved only when the review of each names its
 * SHA-256.
 */
export const isReceived = (manifest: ManifestState, role: Role, filename: string): boolean =>
  filename === ARTIFACT_NAMES.sharedContract || isConfirmed(manifest, role, filename);

export const receiptsMissing = (manifest: ManifestState, builder: Builder): ManifestArtifact[] =>
  artifactsOf(manifest, builder).filter(({ filename }) => !isReceived(manifest, builder, filename));

/** The names of the artifacts of a builder that it has. */
export const receivedBy = (manifest: ManifestState, builder: Builder): string[] =>
  artifactsOf(manifest, builder).flatMap(({ filename }) => (isReceived(manifest, builder, filename) ? [filename] : []));

/** sha256 by filename. */
export const Receipts = z.record(z.string(), text(100));

/**
 * The events that confirm artifacts, which are given as sha256 by filename. Nothing is stored for an artifact that is
 * confirmed already or assigned to nobody.
 * @throws ParleyError UNKNOWN_RECORD, ARTIFACT_NOT_ASSIGNED, CHECKSUM_MISMATCH
 */
export function receiptDrafts(
  manifest: ManifestState,
  role: Role,
  hashes: Readonly<Record<string, string>>,
): SessionDraft[] {
  const manifest_id = manifest.current?.manifest_id ?? '';
  return Object.entries(hashes).flatMap(([filename, sha256]) => {
    const artifact = readableArtifact(manifest, role, filename);
    if (artifact.sha256 !== sha256)
      fail('CHECKSUM_MISMATCH', `The sha256 that you sent is not that of the frozen artifact ${filename}.`, {
        filename,
      });
    if (!isAssignedTo(artifact, role) || isConfirmed(manifest, role, filename)) return [];
    return [{ kind: 'receipt.confirmed', data: { manifest_id, filename, sha256 } }];
  });
}

export const viewAuthorizations = pickOf(AuthorizationsView);

export const ArtifactView = namedObject('Artifact', {
  filename: z.string(),
  sha256: z.string(),
  bytes: z.int(),
  media_type: z.string(),
  received: z.boolean().describe('Confirmed by you; a review that names its hash confirms shared-contract.json.'),
});

const viewArtifact = pickOf(ArtifactView);

export const viewArtifacts = (manifest: ManifestState, role: Role): z.output<typeof ArtifactView>[] =>
  artifactsOf(manifest, role).map((artifact) => ({
    ...viewArtifact(artifact),
    received: isReceived(manifest, role, artifact.filename),
  }));

export const ArtifactContent = namedObject('ArtifactContent', {
  filename: z.string(),
  sha256: z.string().describe('SHA-256 of the whole content as UTF-8.'),
  bytes: z.int().describe('Size of the whole content.'),
  media_type: z.string(),
  content: z.string(),
  encoding: z.literal('base64').optional().describe('Of content that is no text.'),
  ...LEFT_OUT,
});

export const CONTENT_FROM = z.int().min(0).max(10_000_000).optional().describe('Character to start at, from 0.');

/** Maximum size of the content in an answer, in bytes as `costOf` counts them. */
const CONTENT_COST = 900_000;

/** The attachment whose sha256 a call names in place of a filename. Undefined for the name of an artifact. */
export function viewAttached(
  state: SessionState,
  { filename, from }: { readonly filename: string; readonly from?: number | undefined },
  { document, tool }: { readonly document: ReadDocument; readonly tool: string },
): z.output<typeof ArtifactContent> | undefined {
  const attachment = attachmentOf(state, filename);
  return (
    attachment && {
      ...viewContent(attachment, document(attachment.document), { from, tool }),
      ...encodingOf(attachment),
    }
  );
}

/** The hashes of the documents that a call needs which names an artifact of a list, or an attachment by its sha256. */
export const documentsOf = (
  state: SessionState,
  named: string,
  artifacts: readonly ManifestArtifact[] = [],
): string[] => [
  ...[attachmentOf(state, named)].flatMap((attachment) => attachment?.document ?? []),
  ...artifacts.flatMap(({ filename, sha256 }) => (filename === named ? [sha256] : [])),
];

/**
 * The content of an artifact from a position on, as much as fits into the answer.
 * @param tool name of the operation that the answer names as the call for the next piece
 */
export function viewContent(
  { filename, sha256, bytes, media_type }: Pick<ManifestArtifact, 'filename' | 'sha256' | 'bytes' | 'media_type'>,
  whole: string,
  { from = 0, tool }: { readonly from?: number | undefined; readonly tool: string },
): z.output<typeof ArtifactContent> {
  const { text: content, end } = textPiece(whole, from, CONTENT_COST);
  const count = whole.length - end;
  const how = `Call ${tool} with the same filename and from: ${end} (a number of characters).`;
  const leftOut: { left_out?: LeftOut } = count > 0 ? { left_out: { count, how } } : {};
  return { filename, sha256, bytes, media_type, content, ...leftOut };
}

/**
 * Maximum number of interfaces that a question names. The number is limited, because the other builder must read and
 * confirm the answer.
 */
const MAX_INTERFACES = 20;
const STATUS = /^[1-5]\d\d(?!\d)/;

/**
 * The questions that a builder must answer before the build: one about the interfaces that it provides to the other builder, and
 * one about those of the other builder that it consumes. They ask for what the contract leaves to the builder, because what
 * the contract says needs no repetition. Of the contract, they contain only ids, pointers and HTTP statuses.
 */
export function interfaceQuestions({ interfaces }: Contract, builder: Builder): string[] {
  const placed = interfaces.map((item, index) => ({ item, place: `${item.id}${pointerText(index)}` }));
  const between = (provider: Builder, consumer: Builder) =>
    placed
      .filter(({ item }) => item.provider === provider && item.consumers.includes(consumer))
      .slice(0, MAX_INTERFACES);
  const provided = between(builder, otherBuilder(builder)).map(({ place }) => place);
  const consumed = between(otherBuilder(builder), builder).map(({ item, place }) => `${place}${outcomesOf(item)}`);
  return [
    ...(provided.length > 0
      ? [
          `You provide ${listed(provided)}: where the contract leaves it to you, what does a repeated call return, in which order are calls processed, and which limits apply?`,
        ]
      : []),
    ...(consumed.length > 0
      ? [
          `You consume ${listed(consumed)}: what does your side do on each outcome, what does it retry and how often, in which order does it make its calls, and which limits does it respect?`,
        ]
      : []),
  ];
}

/** Names the place of an interface in the contract, for the builder. */
const pointerText = (index: number): string => ` (/interfaces/${index} of the contract)`;

/** A question of `interfaceQuestions` without the pointer, for the owner, who knows the interface by its id. */
export const withoutPointer = (question: string, interfaces: readonly unknown[]): string =>
  interfaces.reduce<string>((text, _interface, index) => text.replace(pointerText(index), ''), question);

/** The HTTP statuses that the contract names for an interface. Empty if it names none. */
function outcomesOf({ operations }: ContractInterface): string {
  const statuses = new Set(
    operations.flatMap(({ response, errors = [] }) => [...statusesIn(response), ...statusesIn(errors)]),
  );
  return statuses.size > 0 ? ` with ${[...statuses].sort().join(', ')}` : '';
}

/**
 * The HTTP statuses in the description of an operation's response. A status can be the name of a member, a value of
 * `status`, or the start of a text.
 */
function statusesIn(shape: unknown): string[] {
  if (typeof shape === 'string') return STATUS.exec(shape) ?? [];
  if (Array.isArray(shape)) return shape.flatMap(statusesIn);
  return Object.entries(Object(shape)).flatMap(([name, value]) => [
    ...(STATUS.exec(name) ?? []),
    ...(name === 'status' ? (STATUS.exec(String(value)) ?? []) : []),
  ]);
}
