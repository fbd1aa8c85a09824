import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import type { Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { revisionOf } from '../contract/rules.ts';
import { EvidenceItems, FindingId, LongText, RevisionId, text } from '../fields.ts';
import { FINDING_KINDS, FINDING_OUTCOMES } from '../findings/events.ts';
import { findingOf, nextFindingId, openFinding, releasedWithFinding } from '../findings/rules.ts';
import { disputedBuilder } from '../manifest/readiness.ts';
import type { SessionState } from '../state.ts';
import { disputedDefect } from '../verify/defects.ts';

/** A finding of a builder as it sends it, alone or with its review. */
export const NewFinding = namedObject('NewFinding', {
  text: LongText,
  kind: z.enum(FINDING_KINDS).optional().describe('Default: DEFECT.'),
  blocking: z.boolean().optional().describe('Default: true.'),
  target: text(500).optional().describe('JSON Pointer, contract id, or question_id.'),
  evidence: EvidenceItems.optional(),
  revision_id: RevisionId.optional().describe('Default: the latest.'),
});

/** How the agent that raised a finding closes it. */
export const FindingOutcomeInput = namedObject('FindingOutcomeInput', {
  finding_id: FindingId,
  outcome: z.enum(FINDING_OUTCOMES),
  note: LongText.optional(),
});

const LOOSE = z.record(z.string(), z.unknown());

/** Findings in a review. The published schema does not repeat the members, which those of the tools named here have. */
export const NewFindings = z.array(LOOSE.pipe(NewFinding)).max(20).describe('As in submit_finding.');
export const FindingOutcomes = z.array(LOOSE.pipe(FindingOutcomeInput)).max(50).describe('As in resolve_finding.');

/**
 * The event of a new finding of a builder.
 *
 * @param pending number of findings that the same call raises before
 * @throws ParleyError NOT_TECHNICAL_REVIEWER, UNKNOWN_RECORD
 */
export function findingDraft(
  state: SessionState,
  { text: said, kind = 'DEFECT', blocking = true, target, evidence, revision_id }: z.output<typeof NewFinding>,
  { by, pending = 0 }: { readonly by: Role; readonly pending?: number },
): SessionDraft {
  const { technical_reviewer } = state.election;
  const answer_of = disputedBuilder(state, by, target);
  if (technical_reviewer !== by && answer_of === undefined && !disputedDefect(state, by, target))
    fail(
      'NOT_TECHNICAL_REVIEWER',
      `Only the Technical Reviewer submits findings; ${technical_reviewer ? `that is ${technical_reviewer}` : 'there is none until the Contract Author is elected'}.`,
      { technical_reviewer },
    );
  const revision = revision_id === undefined ? state.contract.latest : revisionOf(state, revision_id);
  const finding_id = nextFindingId(state.findings, pending);
  const about = { target, answer_of, evidence, revision_id: revision?.revision_id ?? null };
  return { kind: 'finding.raised', data: { finding_id, text: said, kind, blocking, ...about } };
}

/**
 * The events that close a finding and release its hold.
 * @throws ParleyError UNKNOWN_RECORD, NOT_RAISER, FINDING_CLOSED
 */
export function resolutionDrafts(
  { findings, holds }: SessionState,
  { finding_id, outcome, note }: z.output<typeof FindingOutcomeInput>,
  by: Role,
): SessionDraft[] {
  const { raised_by } = findingOf(findings, finding_id);
  if (raised_by !== by)
    fail('NOT_RAISER', `${raised_by} raised finding ${finding_id}; only ${raised_by} can resolve it.`, { raised_by });
  openFinding(findings, finding_id);
  return [{ kind: 'finding.resolved', data: { finding_id, outcome, note } }, ...releasedWithFinding(holds, finding_id)];
}

/** Whether the agent has closed its finding with this outcome already, so that a repeated review can name it again. */
export function isResolvedSo(
  { findings: { all } }: SessionState,
  { finding_id, outcome }: z.output<typeof FindingOutcomeInput>,
  by: Role,
): boolean {
  const finding = lookUp(all, finding_id);
  return finding?.raised_by === by && finding.status === outcome;
}
