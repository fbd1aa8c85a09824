import type { Builder } from '../../kernel/roles.ts';
import type { SessionState } from '../state.ts';
import { isSameCommit } from './commits.ts';
import type { NextItem } from './next-item.ts';
import { acknowledgedItems, owedItems } from './owed-items.ts';
import { scenarioItems } from './scenario-items.ts';
import { standingDefects } from './scenarios.ts';
import type { Defect } from './state.ts';

/** The next calls of a builder, in order (domain 9.5 and 9.7). */
export function nextFor(state: SessionState, builder: Builder): NextItem[] {
  const { phase, status } = state.profile;
  if (status !== 'ACTIVE' || (phase !== 'VERIFY' && phase !== 'RELEASE') || !state.manifest.current) return [];
  return [
    ...owedItems(state, builder),
    ...handshakeItems(state, builder),
    ...fixItems(state, builder),
    ...scenarioItems(state, builder),
    ...acknowledgedItems(state, builder),
  ];
}

function handshakeItems(state: SessionState, builder: Builder): NextItem[] {
  const own = state.verify.handshakes[builder];
  if (!own)
    return [
      handshakeItem(state, builder, 'Declare your handshake: verification needs the handshakes of both builders.'),
    ];
  if (!own.ready || !own.dependencies_healthy)
    return [handshakeItem(state, builder, 'Your handshake says not ready or not healthy: declare again once it is.')];
  const declared = own.fixture_version;
  if (declared !== undefined && declared !== state.manifest.current?.fixture_version)
    return [handshakeItem(state, builder, 'Your handshake names a different fixture_version than the manifest.')];
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

function fixItems(state: SessionState, builder: Builder): NextItem[] {
  const own = standingDefects(state).filter(({ status, assignedTo }) => status === 'OPEN' && assignedTo === builder);
  return own.map((defect) => {
    const { defectId, scenarioId } = defect;
    if (!hasNewCommit(state, defect, builder)) {
      const reason = `Defect ${defectId} of ${scenarioId} is assigned to you: fix it, then declare the new commit.`;
      return { ...handshakeItem(state, builder, reason), scenarioId };
    }
    return {
      tool: 'verify_submit_fix',
      route: 'POST verify/defects/fix',
      payload: { defect_id: defectId, note: '<what you changed>' },
      reason: `You declared a new commit since defect ${defectId} of ${scenarioId} failed: mark it fixed.`,
      scenarioId,
    };
  });
}

/** Whether the builder declared, after the failure, a commit other than the one that failed. */
export function hasNewCommit({ verify }: SessionState, { failedSeq, commits }: Defect, builder: Builder): boolean {
  const own = verify.handshakes[builder];
  return own !== undefined && own.commitSeq > failedSeq && !isSameCommit(own.commit, commits[builder]);
}
