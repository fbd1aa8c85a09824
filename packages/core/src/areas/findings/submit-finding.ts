import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { storedEvent } from '../catalog.ts';
import { revisionOf } from '../contract/rules.ts';
import { EvidenceItems } from '../evidence.ts';
import { LongText, RevisionId, text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { disputedBuilder } from '../readiness/rules.ts';
import { disputedDefect } from '../verify/disputes.ts';
import { FINDING_KINDS } from './events.ts';
import { nextFindingId } from './rules.ts';
import { FindingResult, viewFindingChange } from './schemas.ts';

/** Spec 4.2. Raises a builder's finding. This uses no turn. */
export const submitFinding = defineOperation({
  name: 'submit_finding',
  summary: 'Raise a finding on the contract or a readiness answer.',
  rest: 'POST findings',
  access: { builder: 'submit_final_review' },
  phases: ['CONTRACT', 'READINESS', 'VERIFY', 'RELEASE'],
  input: z.strictObject({
    text: LongText,
    kind: z.enum(FINDING_KINDS).optional().describe('Default: DEFECT.'),
    blocking: z.boolean().optional().describe('Default: true.'),
    target: text(500).optional().describe('JSON Pointer, contract id, or question_id.'),
    evidence: EvidenceItems.optional(),
    revision_id: RevisionId.optional().describe('Default: the latest.'),
  }),
  output: FindingResult,
  errors: ['NOT_TECHNICAL_REVIEWER', 'UNKNOWN_RECORD'],

  decide(state, { text: said, kind = 'DEFECT', blocking = true, target, evidence, revision_id }, { role }) {
    const { technical_reviewer } = state.election;
    const answer_of = disputedBuilder(state, role, target);
    if (technical_reviewer !== role && answer_of === undefined && !disputedDefect(state, role, target))
      fail(
        'NOT_TECHNICAL_REVIEWER',
        `Only the Technical Reviewer submits findings; ${technical_reviewer ? `that is ${technical_reviewer}` : 'there is none until the Contract Author is elected'}.`,
        { technical_reviewer },
      );
    const revision = revision_id === undefined ? state.contract.latest : revisionOf(state, revision_id);
    const data = {
      finding_id: nextFindingId(state.findings),
      text: said,
      kind,
      blocking,
      target,
      answer_of,
      evidence,
      revision_id: revision?.revision_id ?? null,
    };
    return [{ kind: 'finding.raised', data }];
  },

  reply: (state, _input, { events }) => ({
    finding: viewFindingChange(state, storedEvent(events, 'finding.raised').data.finding_id),
  }),
});
