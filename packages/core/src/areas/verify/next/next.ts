import { type Builder, otherBuilder } from '../../../kernel/roles.ts';
import { owesReport, reportAction } from '../../actions/gate-reports.ts';
import { blockerItems, debtItems, findingItems, optionalItems, unfinishedItems } from '../../due/due.ts';
import type { NextItem } from '../../due/next-item.ts';
import { phaseItems } from '../../due/phase-step.ts';
import { stoppingQuota } from '../../quotas/rules.ts';
import type { SessionState } from '../../state.ts';
import { certificationOf } from '../certification.ts';
import { disputeOf } from '../disputes.ts';
import type { Defect } from '../record.ts';
import { hasNewCommit } from '../rules.ts';
import { standingDefects } from '../scenarios/scenarios.ts';
import { scenarioItems } from './scenario-items.ts';

/**
 * The calls that a builder must make, in their order (domain 9.5 and 9.7). While the session is not active, these are
 * only answers, acknowledgements and completions of actions.
 */
export function nextFor(state: SessionState, builder: Builder): NextItem[] {
  const { status } = state.profile;
  if (status === 'ENDED') return [];
  const debts = debtItems(state, builder);
  const due = [...debts, ...withoutSame(blockingWork(state, builder), debts)];
  const all = [...due, ...withoutSame(optionalItems(state, builder), due)];
  return [...all, ...withoutSame(unfinishedItems(state, builder), all)];
}

/**
 * The work of the phase, the reviews, and the answers to findings that block. In CONTRACT, the work of the phase is the
 * first blocker and comes first; in the other phases, the answers come first.
 */
function blockingWork(state: SessionState, builder: Builder): NextItem[] {
  const actions = blockerItems(state, builder);
  const { status, phase } = state.profile;
  const work = status === 'ACTIVE' ? workItems(state, builder) : [];
  if (phase !== 'CONTRACT') return [...actions, ...withoutSame(work, actions)];
  const first = work.map((item) => actions.find((action) => workOf(action) === workOf(item)) ?? item);
  return [...first, ...withoutSame(actions, first)];
}

/**
 * Maps a tool that only reads to the tool that the builder calls after it. An action names the second tool, and an item
 * of the phase names the first; `workOf` uses this table to find that the action and the item are about the same work.
 */
const READS_FOR: Readonly<Record<string, string>> = {
  list_artifacts: 'confirm_receipt',
  get_readiness_questions: 'submit_readiness',
};

/** A key of the work that an item is about. */
function workOf({ tool, payload }: NextItem): string {
  const read = READS_FOR[tool] ?? tool;
  return Object.values(READS_FOR).includes(read) ? read : JSON.stringify([tool, payload]);
}

/** Leaves out the items for which `others` already has an item about the same work. */
function withoutSame(items: readonly NextItem[], others: readonly NextItem[]): NextItem[] {
  const listed = new Set(others.map(workOf));
  return items.filter((item) => !listed.has(workOf(item)));
}

/** The items that {@link nextFor} returns. Empty if a used-up quota stops the writes of the builder. */
export const callsOf = (state: SessionState, builder: Builder): NextItem[] =>
  stoppingQuota(state, builder) ? [] : nextFor(state, builder);

function workItems(state: SessionState, builder: Builder): NextItem[] {
  const { phase } = state.profile;
  if (phase === 'VERIFY' || phase === 'RELEASE') return state.manifest.current ? verificationItems(state, builder) : [];
  return [...(phase === 'READINESS' ? findingItems(state, builder) : []), ...phaseItems(state, builder)];
}

const verificationItems = (state: SessionState, builder: Builder): NextItem[] => [
  ...findingItems(state, builder),
  ...handshakeItems(state, builder),
  ...fixItems(state, builder),
  ...scenarioItems(state, builder),
  ...reportItems(state, builder),
];

function handshakeItems(state: SessionState, builder: Builder): NextItem[] {
  const own = state.verify.handshakes[builder];
  if (!own)
    return [
      handshakeItem(
        state,
        builder,
        'Build what your handoff says, then declare your running service with verify_handshake. Verification needs the handshakes of both builders.',
      ),
    ];
  if (!own.ready || !own.dependencies_healthy)
    return [
      handshakeItem(
        state,
        builder,
        'Your handshake says that your service is not ready or not healthy. Call verify_handshake again when the service is ready and healthy.',
      ),
    ];
  const declared = own.fixture_version;
  if (declared !== undefined && declared !== state.manifest.current?.fixture_version)
    return [
      handshakeItem(
        state,
        builder,
        'Your handshake names another fixture_version than the manifest: call verify_handshake again with the fixture_version of the manifest.',
      ),
    ];
  return [];
}

function handshakeItem({ profile, manifest, verify }: SessionState, builder: Builder, reason: string): NextItem {
  const own = verify.handshakes[builder];
  return {
    tool: 'verify_handshake',
    route: 'POST verify/handshake',
    payload: {
      service: own?.service ?? profile.agents[builder].service,
      version: '<version that runs>',
      commit: '<commit that runs, 7 to 64 hex digits>',
      environment: own?.environment ?? '<local, test, ci, preview or staging>',
      ready: true,
      dependencies_healthy: true,
      fixture_version: manifest.current?.fixture_version,
    },
    reason,
  };
}

/** How the builder that must fix a defect says that the other builder must fix it, or where it has said so. */
function disputeText(state: SessionState, { defect_id, assigned_to }: Defect): string {
  const dispute = disputeOf(state, defect_id);
  if (dispute)
    return `You dispute it in ${dispute.finding_id}, which the owner reads: the owner can assign it to ${otherBuilder(assigned_to)}.`;
  return `If ${otherBuilder(assigned_to)} has to fix it, say why with submit_finding (target ${defect_id}, blocking false): the owner decides.`;
}

function fixItems(state: SessionState, builder: Builder): NextItem[] {
  const own = standingDefects(state).filter(({ status, assigned_to }) => status === 'OPEN' && assigned_to === builder);
  return own.map((defect) => {
    const { defect_id, scenario_id, refusal: refused, failed_seq } = defect;
    if (!hasNewCommit(state.verify, defect, builder)) {
      const refusal = refused
        ? `the owner refused the ${refused.stage} for it, read why in message ${failed_seq} (read_messages, after ${failed_seq - 1}); `
        : '';
      const reason = `Defect ${defect_id} of ${scenario_id} is assigned to you: ${refusal}fix it, then declare the new commit with verify_handshake. ${disputeText(state, defect)}`;
      return { ...handshakeItem(state, builder, reason), scenario_id, fixes: defect_id };
    }
    return {
      tool: 'verify_submit_fix',
      route: 'POST verify/defects/fix',
      payload: { defect_id, note: '<what you changed>' },
      reason: `You have declared a new commit since defect ${defect_id} of ${scenario_id} was found: mark the defect fixed with verify_submit_fix.`,
      scenario_id,
    };
  });
}

/**
 * The call that reports on the gates. Left out while a certification check is not met, for example during a hold,
 * because the text of the call tells the builder to roll out.
 */
function reportItems(state: SessionState, builder: Builder): NextItem[] {
  const action = reportAction(state, builder);
  if (!action || !owesReport(state, builder) || !certificationOf(state).every(({ ok }) => ok)) return [];
  const { action_id, type, text, payload = {} } = action;
  return [
    {
      tool: 'complete_action',
      route: 'POST actions/complete',
      payload,
      reason: `Action ${action_id} (${type}): ${text}`,
    },
  ];
}
