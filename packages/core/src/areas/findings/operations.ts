import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { moderatorPermissions, requirePermission } from '../access/rules.ts';
import { storedEvent } from '../catalog.ts';
import { isLaterRevision, requireAuthor, revisionOf } from '../contract/rules.ts';
import { EvidenceItems, FindingId, HoldId, LongText, Reason, RevisionId, text } from '../fields.ts';
import { Targets } from '../interventions/rules.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { FindingOutcomeInput, findingDraft, NewFinding, resolutionDrafts } from '../reviews/raising.ts';
import type { SessionState } from '../state.ts';
import { FINDING_CATEGORIES, FINDING_SEVERITIES, RESPONSE_DECISIONS } from './events.ts';
import {
  activeHold,
  awaitedFor,
  FindingChange,
  FindingReasonInput,
  FindingResult,
  findingOf,
  findingSeqs,
  HoldChange,
  HoldChangeResult,
  holdOf,
  holdOn,
  isOpen,
  mayRespond,
  nextFindingId,
  openedHoldDraft,
  openFinding,
  responseOf,
  viewFinding,
  viewFindingChange,
  viewHoldChange,
  viewWholeFinding,
} from './rules.ts';
import { FindingView } from './state.ts';

const FindingListInput = z.strictObject({ finding_id: FindingId.optional(), ...PAGE_INPUT });
type FindingListInput = z.output<typeof FindingListInput>;

/**
 * The members that the operations `list_findings` and `get_moderator_findings` share. Each of the two adds its name and
 * its access.
 */
const findingListParts = {
  summary: 'List the findings, or one in full by finding_id.',
  rest: 'GET findings',
  input: FindingListInput,
  output: namedObject('FindingList', { findings: z.array(FindingView), ...LEFT_OUT }),
  errors: ['UNKNOWN_RECORD'],

  reads({ findings }: SessionState, { finding_id = '' }: FindingListInput): readonly number[] {
    const finding = lookUp(findings.all, finding_id);
    return finding ? findingSeqs(finding) : [];
  },
} as const;

/**
 * Makes the function `reply` of an operation that lists findings. If the answer cannot contain all findings, the open
 * findings come first.
 * @param tool name of the operation that the answer names as the call for the next page
 */
const findingListReply =
  (tool: string) =>
  (
    state: SessionState,
    { finding_id, after }: FindingListInput,
    { loaded }: { readonly loaded: readonly LoggedEvent[] },
  ) => {
    const { findings } = state;
    if (finding_id !== undefined)
      return { findings: [viewWholeFinding(state, findingOf(findings, finding_id), loaded)] };
    const { shown, leftOut } = listed({
      records: valuesOf(findings.all),
      view: (finding) => viewFinding(state, finding),
      isCurrent: isOpen,
      idOf: ({ finding_id }) => finding_id,
      tool,
      after,
    });
    return { findings: shown, ...leftOut };
  };

export const getModeratorFindings = defineOperation({
  ...findingListParts,
  name: 'get_moderator_findings',
  access: { moderator: true },
  reply: findingListReply('get_moderator_findings'),
});

export const listFindings = defineOperation({
  ...findingListParts,
  name: 'list_findings',
  access: { builder: 'read_session_state' },
  reply: findingListReply('list_findings'),
});

/** Spec 3. Only the agent that raised a finding can close it, even if this agent has become the Contract Author. */
export const resolveFinding = defineOperation({
  name: 'resolve_finding',
  summary: 'Close your finding and its hold; WITHDRAWN if it was wrong.',
  rest: { builder: 'POST findings/resolve', moderator: 'POST moderator/findings/resolve' },
  access: { builder: 'submit_final_review', moderator: true },
  worksWhilePaused: 'moderator',
  input: FindingOutcomeInput,
  output: FindingResult,
  errors: ['UNKNOWN_RECORD', 'NOT_RAISER', 'FINDING_CLOSED'],

  decide: (state, outcome, { role }) => resolutionDrafts(state, outcome, role),

  reply: (state, { finding_id }) => ({ finding: viewFindingChange(state, finding_id) }),
});

/**
 * Spec 3. A response does not close the finding. If a builder responds again, the new response replaces the earlier
 * response. If the moderator's finding names builders, each of them must respond.
 */
export const respondFinding = defineOperation({
  name: 'respond_finding',
  summary: 'Answer a finding that waits for your answer.',
  rest: 'POST findings/respond',
  access: { builder: 'submit_contract' },
  input: z.strictObject({
    finding_id: FindingId,
    decision: z.enum(RESPONSE_DECISIONS),
    response: LongText,
    revision_id: RevisionId.optional().describe('The later revision that fixes it.'),
  }),
  output: FindingResult,
  errors: ['NOT_CONTRACT_AUTHOR', 'UNKNOWN_RECORD', 'FINDING_CLOSED', 'INVALID_INPUT'],

  decide(state, { finding_id, decision, response, revision_id }, { role }) {
    const finding = findingOf(state.findings, finding_id);
    const { contract_author: author } = state.election;
    if (!mayRespond(finding, author, role)) requireAuthor(state, role);
    const { revision_id: about } = openFinding(state.findings, finding_id);
    const earlier = responseOf(finding, role);
    if (decision === 'REJECT' && revision_id !== undefined)
      refuseRevision('A rejected finding has no revision that fixes it: leave revision_id out.');
    const fixed_in = revision_id === undefined ? null : revisionOf(state, revision_id).revision_id;
    if (fixed_in !== null && about !== null && !isLaterRevision(fixed_in, about))
      refuseRevision(
        `The finding concerns ${about}: submit a later revision that fixes it and name that revision, or leave revision_id out.`,
      );
    const isSame = earlier?.decision === decision && earlier.response === response && earlier.fixed_in === fixed_in;
    if (isSame) return [];
    const awaiting = awaitedFor(finding, author).filter((builder) => builder !== role);
    return [{ kind: 'finding.responded', data: { finding_id, decision, response, fixed_in, awaiting } }];
  },

  reply: (state, { finding_id }) => ({ finding: viewFindingChange(state, finding_id) }),
});

const refuseRevision = (message: string): never =>
  fail('INVALID_INPUT', message, { issues: [{ path: 'revision_id', message }] });

/** Spec 4.2. Raises a builder's finding. This uses no turn. */
export const submitFinding = defineOperation({
  name: 'submit_finding',
  summary: 'Raise a finding on the contract or a readiness answer.',
  rest: 'POST findings',
  access: { builder: 'submit_final_review' },
  phases: ['CONTRACT', 'READINESS', 'VERIFY', 'RELEASE'],
  input: NewFinding,
  output: FindingResult,
  errors: ['NOT_TECHNICAL_REVIEWER', 'UNKNOWN_RECORD'],

  decide: (state, finding, { role }) => [findingDraft(state, finding, { by: role })],

  reply: (state, _input, { events }) => ({
    finding: viewFindingChange(state, storedEvent(events, 'finding.raised').data.finding_id),
  }),
});

/** Spec 4.3. If `request_hold` is set, the same append also opens a hold. */
export const submitModeratorFinding = defineOperation({
  name: 'submit_moderator_finding',
  summary: 'Raise a finding; with request_hold it also stops approval and authorizations.',
  rest: 'POST moderator/findings',
  access: { moderator: 'find' },
  input: z.strictObject({
    category: z.enum(FINDING_CATEGORIES),
    text: LongText.describe('What is wrong, and what is right.'),
    resolution_criteria: text(2_000).describe('Condition on which you will resolve it.'),
    severity: z.enum(FINDING_SEVERITIES).optional().describe('Default: MEDIUM.'),
    target_agents: Targets.optional().describe('Default: both builders.'),
    target: text(500).optional().describe('JSON Pointer, or id in the contract.'),
    evidence: EvidenceItems.optional(),
    blocking: z.boolean().optional().describe('Default: true.'),
    request_hold: z.boolean().optional().describe('Needs hold_reason.'),
    hold_reason: Reason.optional(),
  }),
  output: z.strictObject({ finding: FindingChange, hold: HoldChange.nullable() }),
  errors: ['PERMISSION_DENIED', 'INVALID_INPUT'],

  decide(state, input) {
    const { text: said, category, resolution_criteria, severity = 'MEDIUM', target_agents = [...BUILDERS] } = input;
    const holdReason = requestedHold(input);
    if (holdReason !== null) requirePermission(moderatorPermissions(state), 'hold');
    const finding_id = nextFindingId(state.findings);
    const { target, evidence, blocking = true } = input;
    const data = {
      finding_id,
      text: said,
      moderated: { category, severity, resolution_criteria, target_agents },
      blocking,
      target,
      evidence,
      revision_id: state.contract.latest?.revision_id ?? null,
    };
    const raised = { kind: 'finding.raised' as const, data };
    return holdReason === null ? [raised] : [raised, openedHoldDraft(state.holds, finding_id, holdReason)];
  },

  reply(state, _input, { events }) {
    const finding = viewFindingChange(state, storedEvent(events, 'finding.raised').data.finding_id);
    const hold = holdOn(state.holds, finding.finding_id);
    return { finding, hold: hold ? viewHoldChange(hold) : null };
  },
});

interface HoldRequest {
  readonly request_hold?: boolean | undefined;
  readonly hold_reason?: string | undefined;
}

/**
 * The reason of the requested hold. Null if no hold is requested. Refuses an input with only one of `request_hold` and
 * `hold_reason`.
 */
function requestedHold({ request_hold = false, hold_reason }: HoldRequest): string | null {
  if (request_hold === (hold_reason !== undefined)) return hold_reason ?? null;
  const path = request_hold ? 'hold_reason' : 'request_hold';
  const message = request_hold ? 'Required if request_hold is true.' : 'Must be true when hold_reason is given.';
  return fail('INVALID_INPUT', `${path}: ${message}`, { issues: [{ path, message }] });
}

export const releaseHold = defineOperation({
  name: 'release_hold',
  summary: 'Release the hold on a finding; the finding stays open.',
  rest: 'POST moderator/holds/release',
  access: { moderator: true },
  worksWhilePaused: 'moderator',
  input: z.strictObject({ hold_id: HoldId }),
  output: HoldChangeResult,
  errors: ['UNKNOWN_RECORD', 'HOLD_CLOSED'],

  decide({ holds }, { hold_id }) {
    const { finding_id } = activeHold(holds, hold_id);
    return [{ kind: 'hold.released', data: { hold_id, finding_id, cause: 'MODERATOR' } }];
  },

  reply: ({ holds }, { hold_id }) => ({ hold: viewHoldChange(holdOf(holds, hold_id)) }),
});

/**
 * Spec 4.3. A finding has at most one active hold. A repeated request with the same `reason` returns the existing hold.
 */
export const requestHold = defineOperation({
  name: 'request_hold',
  summary: 'Put a hold on an open finding: it stops the approval and authorizations.',
  rest: 'POST moderator/holds',
  access: { moderator: 'hold' },
  input: FindingReasonInput,
  output: HoldChangeResult,
  errors: ['UNKNOWN_RECORD', 'FINDING_CLOSED', 'HOLD_ACTIVE'],

  decide({ findings, holds }, { finding_id, reason }) {
    openFinding(findings, finding_id);
    const standing = holdOn(holds, finding_id);
    if (standing?.reason === reason) return [];
    if (standing) {
      const { hold_id } = standing;
      fail('HOLD_ACTIVE', `Finding ${finding_id} already has the active hold ${hold_id}.`, {
        hold_ids: [hold_id],
        hint: 'Do not request another hold on this finding: the hold in hold_ids already stops the approval and every authorization.',
      });
    }
    return [openedHoldDraft(holds, finding_id, reason)];
  },

  reply: ({ holds }, { finding_id }) => ({
    hold: viewHoldChange(
      holdOn(holds, finding_id) ?? fail('INTERNAL', 'The hold was stored, but the state does not contain it.'),
    ),
  }),
});
