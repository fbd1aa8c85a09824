import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { moderatorPermissions, requirePermission } from '../access/rules.ts';
import { storedEvent } from '../catalog.ts';
import { EvidenceItems } from '../evidence.ts';
import { LongText, Reason, text } from '../fields.ts';
import { holdOn, openedHoldDraft } from '../holds/rules.ts';
import { HoldChange, viewHoldChange } from '../holds/schemas.ts';
import { Targets } from '../interventions/schemas.ts';
import { defineOperation } from '../operation.ts';
import { FINDING_CATEGORIES, FINDING_SEVERITIES } from './events.ts';
import { nextFindingId } from './rules.ts';
import { FindingChange, viewFindingChange } from './schemas.ts';

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
