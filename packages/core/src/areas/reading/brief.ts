import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { ApprovalsView, viewApprovals } from '../approvals/schemas.ts';
import { LogHead, RevisionId } from '../fields.ts';
import { CaveatView, listOpenCaveats } from '../findings/schemas.ts';
import { LIST_COST } from '../listing.ts';
import { listOwnerReadiness, OwnerReadinessView } from '../readiness/schemas.ts';
import type { SessionState } from '../state.ts';
import { CONTRACT_FIELDS, listContract } from './brief-contract.ts';
import { GATE_FIELDS, listGates } from './brief-gates.ts';
import { missingFor } from './brief-missing.ts';
import { BriefStage, ModeratorSay, viewModeratorSay } from './brief-moderator.ts';
import { listRequests, REQUEST_FIELDS } from './brief-requests.ts';
import { listVerify, NO_VERIFY, VERIFY_FIELDS } from './brief-verify.ts';
import { countsOf } from './changes.ts';
import { citedDecisions } from './cited-decisions.ts';
import type { Pair } from './pair.ts';
import { revisionChanges } from './revision-changes.ts';
import { readingOf } from './rules.ts';
import { countHeadings, readSections } from './sections.ts';

export const BriefView = z.strictObject({
  stage: BriefStage,
  head: LogHead,
  approvals: ApprovalsView,
  missing: z
    .array(z.string())
    .describe(
      'Why the service would refuse the step now; empty if you can take it. The conditions of `gates` are not checked.',
    ),
  revision_id: RevisionId.nullable().describe('The latest revision; null if there is none yet.'),
  content_hash: z.string().nullable(),
  title: z.string().nullable(),
  manifest_id: z.string().nullable(),
  manifest_sha256: z.string().nullable().describe('Null before an approval.'),
  since: RevisionId.nullable().describe(
    'The newest earlier revision that you approved or of which you read a section; after the approval, the approved one.',
  ),
  changes: z
    .array(z.strictObject({ section: z.string(), count: z.int() }))
    .describe('Number of changes in each section after the revision `since`; the operation `changes` shows them.'),
  unread: z
    .array(z.string())
    .describe('For the approval: sections of the latest revision whose present text you have not read.'),
  reading: z
    .strictObject({ read: z.int(), of: z.int() })
    .describe(
      'For the approval: `read` is the number of sections that you have read, `of` the number of all sections. `schema_version`, `title`, `summary`, `scope` and `fixture_version` count as one section, `risks` and `safety_conditions` too, and so do all members that the schema of the contract does not know.',
    ),
  ...REQUEST_FIELDS,
  ...CONTRACT_FIELDS,
  open_caveats: z.array(CaveatView).describe('Open caveats of the reviews that approve the latest revision.'),
  moderator: ModeratorSay,
  readiness: z
    .array(OwnerReadinessView)
    .describe(
      'For the build: the readiness reports, each answer, and whether the other builder has confirmed the answer.',
    ),
  ...GATE_FIELDS,
  ...VERIFY_FIELDS,
  ...LEFT_OUT,
});

/** The data that a brief needs besides the state. */
interface BriefSources {
  readonly pair: Pair | undefined;
  readonly document: ReadDocument;
  /** The events with the numbers of `reportSeqs`, `requestSeqs`, `putAsideSeqs` and `positionSeqs`. */
  readonly loaded: readonly LoggedEvent[];
}

/** Shows what an owner should know before a step. Lists that do not concern the step are empty. */
export function viewBrief(
  state: SessionState,
  stage: BriefStage,
  { pair, document, loaded }: BriefSources,
): z.output<typeof BriefView> {
  const { revision = null, since = null } = pair ?? {};
  const { current } = state.manifest;
  const sections = revision && stage === 'approval' ? readSections(state, document(revision.content_hash)) : [];
  const unread = sections.filter((section) => readingOf(state.reading, section) === undefined);
  const lists = boundedLists(LIST_COST);
  const requests = stage === 'approval' ? listRequests(lists, state, { pair, loaded }) : () => ({ requests: [] });
  const cited = citedDecisions(state, since, document, loaded);
  const contract = listContract(lists, state, { since, cited, loaded });
  const caveats = listOpenCaveats(lists, state);
  const readiness = stage === 'build' ? listOwnerReadiness(lists, state) : () => [];
  const gates = listGates(lists, stage, revision && stage !== 'approval' ? document(revision.content_hash) : null);
  const isRelease = stage === 'deployment' || stage === 'activation';
  const verify = isRelease ? listVerify(lists, state, loaded) : () => NO_VERIFY;
  return {
    stage,
    head: { ...state.head },
    approvals: viewApprovals(state, stage),
    missing: missingFor(state, stage),
    revision_id: revision?.revision_id ?? null,
    content_hash: revision?.content_hash ?? null,
    title: revision?.title ?? null,
    manifest_id: current?.manifest_id ?? null,
    manifest_sha256: current?.manifest_sha256 ?? null,
    since: since?.revision_id ?? null,
    changes: pair ? countsOf(revisionChanges(state, pair, document, loaded)) : [],
    unread: unread.map(({ section }) => section),
    reading: { read: countHeadings(sections) - countHeadings(unread), of: countHeadings(sections) },
    ...requests(),
    ...contract(),
    open_caveats: caveats(),
    moderator: viewModeratorSay(state, stage),
    readiness: readiness(),
    ...gates(),
    ...verify(),
    ...lists.leftOut(),
  };
}
