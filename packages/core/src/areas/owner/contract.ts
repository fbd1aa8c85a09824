import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import type { ReplyContext } from '../../kernel/operation/operation.ts';
import { listed } from '../../kernel/text/readable.ts';
import { viewAllApprovals } from '../approvals/rules.ts';
import {
  contractTexts,
  decidedIn,
  PIECE_FIELDS,
  PieceInput,
  PlanView,
  planParts,
  planReply,
  WHOLE_COST,
} from '../blockers/plan.ts';
import { blockerListParts, blockerListReply } from '../blockers/rules.ts';
import {
  DIFF_INPUT,
  RevisionDiffView,
  revisionDiffParts,
  revisionDiffReply,
  revisionOf,
  viewRevision,
} from '../contract/rules.ts';
import { RevisionFields } from '../contract/state.ts';
import { LogHead, RevisionId, text } from '../fields.ts';
import {
  CaveatView,
  FindingReasonInput,
  findingOf,
  listOpenCaveats,
  openCaveats,
  openFinding,
  releasedWithFinding,
  viewFinding,
} from '../findings/rules.ts';
import { FindingView } from '../findings/state.ts';
import {
  findingGrounds,
  holdGrounds,
  manifestGrounds,
  moderatorGrounds,
  revisionGrounds,
  SEEN,
} from '../grounds/rules.ts';
import { LIST_COST } from '../listing.ts';
import {
  ArtifactContent,
  documentsOf as artifactDocuments,
  CONTENT_FROM,
  frozenArtifact,
  viewAttached,
  viewContent,
} from '../manifest/rules.ts';
import { defineDecision, defineOperation } from '../operation.ts';
import { termsOf } from '../profiles.ts';
import { BriefView, nextStage, putAsideSeqs, reportSeqs, viewBrief } from '../reading/brief.ts';
import {
  ChangesView,
  documentsOf,
  NO_CHANGES,
  positionSeqs,
  precomputeChanges,
  revisionChanges,
  viewChanges,
} from '../reading/changes.ts';
import { readSection } from '../reading/location.ts';
import {
  ALL_SECTIONS,
  BriefStage,
  knownPair,
  namedSections,
  newlyRead,
  type Pair,
  pairOf,
  readSections,
  requestSeqs,
  SectionReadView,
  sectionsOf,
  viewSectionRead,
} from '../reading/rules.ts';
import { markdownOf } from '../rendering/contract.ts';
import type { SessionState } from '../state.ts';
import { ReasonInput, requireOpen, requirePhase, requireStatus, Standing, viewStanding } from './rules.ts';

/** Reads an artifact. The owner can read all artifacts, also the handoffs of both builders. */
export const artifact = defineOperation({
  name: 'artifact',
  summary: 'Read any artifact of the frozen manifest, including the handoffs of the agents, or an attachment.',
  access: { owner: true },
  input: z.strictObject({
    filename: z.string().describe('The filename, exactly as in the manifest, or the sha256 of an attachment.'),
    from: CONTENT_FROM,
  }),
  output: ArtifactContent,
  errors: ['UNKNOWN_RECORD'],

  documents: (state, { filename }) => artifactDocuments(state, filename, state.manifest.current?.artifacts),

  reply(state, { filename, from }, { document }) {
    const attached = viewAttached(state, { filename, from }, { document, tool: 'artifact' });
    if (attached) return attached;
    const artifact = frozenArtifact(state.manifest, filename);
    return viewContent(artifact, document(artifact.sha256), { from, tool: 'artifact' });
  },
});

const blockersOf = blockerListReply('blockers');

export const blockers = defineOperation({
  ...blockerListParts,
  name: 'blockers',
  access: { owner: true },
  output: z.strictObject({ ...blockerListParts.output.shape, head: LogHead }),
  reply: (state, input) => ({ ...blockersOf(state, input), head: { ...state.head } }),
});

export const brief = defineOperation({
  name: 'brief',
  summary: 'Show what you should know before you approve the contract or authorize a stage.',
  access: { owner: true },
  input: z.strictObject({
    stage: BriefStage.optional().describe('Approval or a stage to authorize; by default the next step.'),
  }),
  output: BriefView,

  documents(state, { stage = nextStage(state) }) {
    const pair = briefPair(state, stage);
    return pair ? documentsOf(state, pair) : [];
  },

  precompute(state, { stage = nextStage(state) }, _caller, document) {
    const pair = briefPair(state, stage);
    return pair ? precomputeChanges(state, pair, document) : [];
  },

  reads(state, { stage = nextStage(state) }) {
    const pair = briefPair(state, stage);
    const requests = stage === 'approval' ? requestSeqs(state, pair) : [];
    return [...requests, ...putAsideSeqs(state), ...reportSeqs(state), ...positionSeqs(state, pair)];
  },

  reply: (state, { stage = nextStage(state) }, { document, loaded }) =>
    viewBrief(state, stage, { pair: briefPair(state, stage), document, loaded }),
});

/**
 * The two revisions that the brief compares: the latest revision, and the revision that the owner last read. After the
 * approval, the brief of a later stage compares the latest revision with itself and so shows no changes.
 */
function briefPair(state: SessionState, stage: BriefStage): Pair | undefined {
  const pair = pairOf(state, {});
  return pair && stage !== 'approval' && state.manifest.current ? { ...pair, since: pair.revision } : pair;
}

/**
 * Shows in words what changed from one revision to another. The operation `diff` shows the same changes as a JSON
 * Patch.
 */
export const changes = defineOperation({
  name: 'changes',
  summary:
    'Show what changed in the contract since you last read it: by section and record, each change with its cause.',
  access: { owner: true },
  input: z.strictObject({
    revision_id: RevisionId.optional().describe('The revision to read; by default the latest.'),
    since: RevisionId.optional().describe(
      'The revision to compare with; by default the newest earlier revision that you approved or of which you read a section.',
    ),
    after: z.int().min(0).max(1_000_000).optional().describe('Skip this many changes.'),
  }),
  output: ChangesView,
  errors: ['UNKNOWN_RECORD', 'INVALID_INPUT'],

  documents(state, input) {
    const pair = knownPair(state, input);
    return pair ? documentsOf(state, pair) : [];
  },

  precompute(state, input, _caller, document) {
    const pair = knownPair(state, input);
    return pair ? precomputeChanges(state, pair, document) : [];
  },

  reads(state, input) {
    const pair = knownPair(state, input);
    return [...requestSeqs(state, pair), ...positionSeqs(state, pair)];
  },

  reply(state, input, { document, loaded }) {
    const pair = pairOf(state, input);
    if (!pair) return NO_CHANGES;
    const { revision, since } = pair;
    const named = `revision_id: "${revision.revision_id}"${since ? ` and since: "${since.revision_id}"` : ''}`;
    return {
      revision_id: revision.revision_id,
      content_hash: revision.content_hash,
      since: since?.revision_id ?? null,
      since_content_hash: since?.content_hash ?? null,
      ...viewChanges(state, {
        pair,
        loaded,
        changes: revisionChanges(state, pair, document, loaded),
        sections: sectionsOf(document(revision.content_hash)),
        after: input.after ?? 0,
        also: named,
      }),
    };
  },
});

/** Compares any two revisions, for example a revision that the owner rejected with a later revision. */
export const diff = defineOperation({
  ...revisionDiffParts,
  name: 'diff',
  summary: 'Show what changed from one contract revision to another: JSON Patch operations and a text diff.',
  access: { owner: true },
  input: z.strictObject({
    ...DIFF_INPUT,
    against: RevisionId.optional().describe("The base revision; by default revision_id's parent."),
  }),
  output: z.strictObject({
    ...RevisionDiffView.shape,
    base: z
      .strictObject({ revision_id: RevisionId, content_hash: z.string() })
      .nullable()
      .describe('The revision with which revision_id is compared; null if that is the empty contract.'),
  }),

  reply(state, input, context) {
    const shown = revisionDiffReply('diff')(state, input, context);
    const baseId = input.against ?? shown.parent_id;
    const base = baseId === null ? null : { revision_id: baseId, content_hash: revisionOf(state, baseId).content_hash };
    return { ...shown, base };
  },
});

/**
 * Stores which sections of a revision the owner has read. If all given sections are already stored as read, appends
 * nothing.
 */
export const markRead = defineOperation({
  name: 'markRead',
  summary: 'Record which sections of a contract revision you have read; `changes` and `brief` then show what is new.',
  access: { owner: true },
  input: z.strictObject({
    revision_id: RevisionId,
    sections: z
      .array(text(200))
      .min(1)
      .max(100)
      .describe(
        `Names of top-level members of the contract, such as interfaces; requirements for those of the session; summary for title, scope and versions too; risks for safety_conditions too; ${ALL_SECTIONS} for every section.`,
      ),
  }),
  output: z.strictObject({ revision_id: RevisionId, sections: z.array(SectionReadView) }),
  errors: ['UNKNOWN_RECORD', 'INVALID_INPUT'],

  said({ answer: { revision_id, sections } }) {
    const unread = sections.filter(({ read_at }) => read_at === null).map(({ section }) => readSection(section));
    return unread.length > 0
      ? `Recorded. Sections of ${revision_id} that you have not marked as read: ${[...new Set(unread)].join(', ')}.`
      : `Recorded. You have marked every section of ${revision_id} as read.`;
  },

  documents({ contract }, { revision_id }) {
    const found = lookUp(contract.revisions, revision_id);
    return found ? [found.content_hash] : [];
  },

  decide(state, { revision_id, sections: names }, _caller, { document }) {
    const known = readSections(state, document(revisionOf(state, revision_id).content_hash));
    const sections = newlyRead(state.reading, revision_id, namedSections(known, names));
    if (sections.length === 0) return [];
    const data = { revision_id, sections: sections.map((section) => ({ ...section })), reader: state.ownerId };
    return [{ kind: 'reading.recorded', data }];
  },

  reply(state, { revision_id }, { document }) {
    const sections = readSections(state, document(revisionOf(state, revision_id).content_hash));
    return { revision_id, sections: sections.map((section) => viewSectionRead(state.reading, section)) };
  },
});

/**
 * Domain 3. Closes a finding in place of the agent that raised it. Everybody in the session can read the owner's
 * reason.
 */
export const overrideFinding = defineDecision({
  name: 'overrideFinding',
  summary: 'Close a finding in place of the agent that raised it, with your reason.',
  access: { owner: 'approver' },
  dialog: {
    button: 'Override…',
    title: 'Override {finding_id}',
    explanation:
      'The finding is closed although the agent that raised it has not closed it. Any hold on the finding ends. Everybody in the session can read your reason.',
    confirm: 'Override the finding',
  },
  input: z.strictObject({ ...FindingReasonInput.shape, ...SEEN }),
  output: z.strictObject({ finding: FindingView }),
  errors: ['INVALID_TRANSITION', 'UNKNOWN_RECORD', 'FINDING_CLOSED'],

  said: ({ input: { finding_id } }) => `${finding_id} is closed with your reason, and no longer blocks anything.`,

  restsOn: (state, { finding_id }) => [
    ...findingGrounds(state, (one) => one.finding_id === finding_id),
    ...holdGrounds(state, finding_id),
    ...moderatorGrounds(state),
  ],

  decide(state, { finding_id, reason }) {
    requireOpen(state, 'overrideFinding');
    openFinding(state.findings, finding_id);
    return [
      { kind: 'finding.overridden', data: { finding_id, reason } },
      ...releasedWithFinding(state.holds, finding_id),
    ];
  },

  reply: (state, { finding_id }) => ({ finding: viewFinding(state, findingOf(state.findings, finding_id)) }),
});

const planOf = planReply('plan', WHOLE_COST.owner);

/** Reads the revision that `approveContract` would approve, and the open caveats of the reviews that approve it. */
export const plan = defineOperation({
  name: 'plan',
  access: { owner: true },
  ...planParts,
  output: z.strictObject({
    ...PlanView.shape,
    head: LogHead,
    open_caveats: z
      .array(CaveatView)
      .optional()
      .describe('Open caveats of the reviews that approve the latest revision.'),
  }),

  reply(state: SessionState, input: z.output<typeof PieceInput>, context: Pick<ReplyContext, 'document'>) {
    const answer = { ...planOf(state, input, context), head: { ...state.head } };
    if (openCaveats(state.findings).length === 0) return answer;
    const lists = boundedLists(LIST_COST);
    const caveats = listOpenCaveats(lists, state);
    return { open_caveats: caveats(), ...lists.leftOut(), ...answer };
  },
});

/**
 * Domain 2. Moves the session back to CONTRACT, and removes the manifest, the readiness reports and all authorizations.
 */
export const requestChanges = defineDecision({
  name: 'requestChanges',
  summary: 'Return the contract to its author, before or after the approval; this cancels every authorization.',
  access: { owner: true },
  dialog: {
    button: 'Request changes…',
    title: 'Request changes',
    explanation:
      'The contract is returned to its author. If you have approved the contract, the approval, its manifest and every authorization are cancelled.',
    confirm: 'Send it back',
  },
  input: z.strictObject({ ...ReasonInput.shape, ...SEEN }),
  output: Standing,
  errors: ['INVALID_TRANSITION'],

  said: ({ before }) => `The contract is returned to its author with your reason.${cancelledText(before)}`,

  restsOn: (state) => [...revisionGrounds(state), ...manifestGrounds(state)],

  decide(state, { reason }) {
    requireStatus(state, 'requestChanges', 'ACTIVE', 'PAUSED');
    requirePhase(state, 'requestChanges', 'CONTRACT', 'READINESS', 'VERIFY', 'RELEASE');
    const { latest } = state.contract;
    const { phase } = state.profile;
    if (!latest)
      return fail('INVALID_TRANSITION', 'There is no contract revision yet, so no changes can be requested.', {
        phase,
        hint: 'Send a directive to the agents, or wait for the first revision.',
      });
    const requested = { kind: 'changes.requested' as const, data: { reason, revision_id: latest.revision_id } };
    if (phase === 'CONTRACT') return [requested];
    return [requested, { kind: 'phase.changed', data: { from: phase, to: 'CONTRACT' }, actor: 'system' }];
  },

  reply: viewStanding,
});

/** What a request for changes cancelled: ` Cancelled: the approval of r_2 and the authorization of the build.` */
function cancelledText(before: SessionState): string {
  if (before.profile.phase === 'CONTRACT') return '';
  const stages = viewAllApprovals(before)
    .filter(({ stage, given }) => stage !== 'approval' && given.length > 0)
    .map(({ stage }) => `the authorization of the ${stage}`);
  return ` Cancelled: ${listed([`the approval of ${before.contract.latest?.revision_id ?? ''}`, ...stages])}.`;
}

/** Reads any revision in full. The operation `plan` reads the latest revision with its current validation. */
export const revision = defineOperation({
  name: 'revision',
  summary: 'Read one contract revision: hash, contract and rendered Markdown; with part, one of its texts in pieces.',
  access: { owner: true },
  input: z.strictObject({ revision_id: RevisionId, ...PieceInput.shape }),
  output: z.strictObject({
    ...RevisionFields,
    ...PIECE_FIELDS,
    ...LEFT_OUT,
  }),
  errors: ['UNKNOWN_RECORD'],

  documents({ contract }, { revision_id }) {
    const found = lookUp(contract.revisions, revision_id);
    return found ? [found.content_hash] : [];
  },

  *precompute(state, { revision_id }, _caller, document) {
    const found = lookUp(state.contract.revisions, revision_id);
    if (!found) return;
    const { content_hash: hash } = found;
    yield markdownOf({ hash, text: document(hash), decided: decidedIn(state, revision_id), terms: termsOf(state) });
  },

  reply(state, { revision_id, ...input }, { document }) {
    const rest = viewRevision(revisionOf(state, revision_id));
    const lists = boundedLists(0);
    const hash = rest.content_hash;
    const call = `Call revision with revision_id: "${revision_id}",`;
    const decided = decidedIn(state, revision_id);
    const maxCost = WHOLE_COST.owner;
    const terms = termsOf(state);
    const texts = contractTexts(lists, { hash, document, decided, terms, input, rest, call, maxCost });
    return { ...rest, ...texts, ...lists.leftOut() };
  },
});
