import type { Builder } from '../../kernel/roles.ts';
import { debtItems, findingItems, unfinishedItems } from '../due/due.ts';
import type { NextItem } from '../due/next-item.ts';
import type { SessionState } from '../state.ts';
import { isSameCommit } from './commits.ts';
import { scenarioItems } from './scenario-items.ts';
import { standingDefects } from './scenarios.ts';
import type { Defect } from './state.ts';

/**
 * What is due from a builder in VERIFY and RELEASE, in order (domain 9.5 and 9.7); the instruction names the first item.
 * While the session is paused only answers, acknowledgements and completions are possible.
 */
export function nextFor(state: SessionState, builder: Builder): NextItem[] {
  const { phase, status } = state.profile;
  if (status === 'ENDED' || (phase !== 'VERIFY' && phase !== 'RELEASE')) return [];
  const ofPhase = status === 'ACTIVE' && state.manifest.current ? verificationItems(state, builder) : [];
  return [...debtItems(state, builder), ...ofPhase, ...unfinishedItems(state, builder)];
}

const verificationItems = (state: SessionState, builder: Builder): NextItem[] => [
  ...findingItems(state, builder),
  ...handshakeItems(state, builder),
  ...fixItems(state, builder),
  ...scenarioItems(state, builder),
];

function handshakeItems(state: SessionState, builder: Builder): NextItem[] {
  const own = state.verify.handshakes[builder];
  if (!own)
    return [
      handshakeItem(
        state,
        builder,
        'Build from your handoff, then declare your handshake: verification needs those of both builders.',
      ),
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
