import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import { nameKey } from '../../kernel/name-key.ts';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { Revision } from '../contract/record.ts';
import type { Decision } from '../decisions/record.ts';
import { latestOn } from '../decisions/rules.ts';
import { AgentRole, BuilderRole, DecisionId, FindingId, Party } from '../fields.ts';
import type { Finding } from '../findings/record.ts';
import { findingSeqs, viewWholeFinding } from '../findings/schemas.ts';
import { pageCall } from '../listing.ts';
import { pickOf } from '../pick.ts';
import type { SessionState } from '../state.ts';
import { wordDiff } from '../word-diff.ts';
import type { CitedDecision, CitedDecisions } from './cited-decisions.ts';

/**
 * The members of a brief about decisions that changed since the owner last read the contract, and about findings that
 * were closed without being resolved.
 */
export const CONTRACT_FIELDS = {
  decisions_added: z
    .array(
      z.strictObject({
        decision_id: DecisionId,
        topic: z.string(),
        status: z.string(),
        proposed_by: BuilderRole,
        supersedes: DecisionId.nullable().describe('The decision on its topic that the revision `since` cites.'),
        position: z
          .string()
          .optional()
          .describe('The decided position. Absent if since is null, or if `changes` shows its words.'),
        changes: z
          .string()
          .optional()
          .describe('Words that differ from the position of `supersedes`: [-removed-] {+added+}.'),
      }),
    )
    .describe(
      'Active decisions that were proposed after the revision `since`; if since is null, all active decisions.',
    ),
  decisions_superseded: z
    .array(z.strictObject({ decision_id: DecisionId, topic: z.string(), superseded_by: DecisionId }))
    .describe(
      'Decisions that the revision `since` cites and that were replaced; with the latest decision on the topic.',
    ),
  findings_put_aside: z
    .array(
      z.strictObject({
        finding_id: FindingId,
        status: z.enum(['OVERRIDDEN', 'WITHDRAWN']),
        raised_by: AgentRole,
        blocking: z.boolean(),
        by: Party.describe('Who overrode or withdrew the finding.'),
        reason: z
          .string()
          .nullable()
          .describe('Why the owner overrode the finding; null for a finding that was withdrawn.'),
        text: z
          .string()
          .nullable()
          .describe(
            'Null for a withdrawn finding if 20 findings with higher numbers were withdrawn too; the operation `records` shows its text.',
          ),
      }),
    )
    .describe('Findings that were closed without being resolved.'),
};
const PutAside = CONTRACT_FIELDS.findings_put_aside.element;
documented.add(PutAside, { id: 'FindingPutAside' });

/** Maximum number of withdrawn findings whose texts are read from the log. */
const MAX_READ = 20;

/**
 * The withdrawn findings that were raised last. Only the log contains the texts of withdrawn findings; the state does not
 * contain when they were withdrawn.
 */
const withdrawnFindings = ({ findings }: SessionState): readonly Finding[] =>
  valuesOf(findings.all)
    .filter(({ text }) => text === null)
    .slice(-MAX_READ);

/** Numbers of the events that contain the texts of withdrawn findings. */
export const putAsideSeqs = (state: SessionState): number[] => withdrawnFindings(state).flatMap(findingSeqs);

interface Sources {
  readonly since: Revision | null;
  /** The decisions that `since` cites. */
  readonly cited: CitedDecisions;
  /** The events with the numbers of `putAsideSeqs`. */
  readonly loaded: readonly LoggedEvent[];
}

export function listContract(lists: BoundedLists, state: SessionState, { since, cited, loaded }: Sources) {
  const { decisions, findings } = state;
  const withdrawn = withdrawnFindings(state);
  const all = valuesOf(decisions.all);
  const isNewer = ({ text_seqs: [proposed = 0] }: Decision): boolean => proposed > (since?.seq ?? 0);
  const replaced = [...cited.values()].flatMap((decision) => {
    const by = latestOn(decisions, decision.topic);
    return by && by.decision_id !== decision.decision_id ? [{ decision, by }] : [];
  });
  const added = lists.list({
    records: all.filter((one) => isNewer(one) && (one.status === 'RESOLVED' || one.status === 'PROPOSED')),
    view: (decision) => {
      const before = cited.get(nameKey(decision.topic));
      return {
        decision_id: decision.decision_id,
        topic: decision.topic,
        status: decision.status,
        proposed_by: decision.proposed_by,
        supersedes: before?.decision_id ?? null,
        ...(since && viewRule(decision, before)),
      };
    },
    how: () => pageCall('records', 0, 'type: "decision"'),
  });
  const superseded = lists.list({
    records: replaced,
    view: ({ decision: { decision_id, topic }, by }) => ({
      decision_id,
      topic,
      superseded_by: by.decision_id,
    }),
    how: () => pageCall('records', 0, 'type: "decision"'),
  });
  const putAside = lists.list({
    records: valuesOf(findings.all).flatMap(
      (finding) =>
        viewPutAside(
          withdrawn.includes(finding) ? viewWholeFinding(state, finding, loaded).text : finding.text,
          finding,
        ) ?? [],
    ),
    view: (one) => one,
    how: () => pageCall('records', 0, 'type: "finding"'),
  });
  return () => ({
    decisions_added: added(),
    decisions_superseded: superseded(),
    findings_put_aside: putAside(),
  });
}

function viewRule({ position }: Decision, before: CitedDecision | undefined): { position?: string; changes?: string } {
  if (position === null) return {};
  return before?.position === undefined ? { position } : { changes: wordDiff(before.position, position) };
}

const pickPutAside = pickOf(PutAside);

function viewPutAside(text: string | null, { status, ...finding }: Finding) {
  if (status !== 'OVERRIDDEN' && status !== 'WITHDRAWN') return undefined;
  const by = status === 'OVERRIDDEN' ? ('owner' as const) : finding.raised_by;
  return pickPutAside({ ...finding, status, by, reason: finding.override_reason, text });
}
