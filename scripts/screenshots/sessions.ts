import type { Owner, Parley } from '@parley/core';
import { type JoinedAgents, loadMission, type Mission, withModerator } from '@parley/missions';
import { loadLargeMission } from './large-mission.ts';
import { type HurryingClock, play, upTo, upToCall, withCarry } from './play.ts';

/** Ids of the sessions, by the state that their pictures show. */
export interface Sessions {
  readonly draft: string;
  /** A session that was started but that no agent has joined. */
  readonly alone: string;
  readonly planning: string;
  /** A session that waits for the approval of a contract of more than 44,000 characters. */
  readonly approval: string;
  /** A session in which a finding blocks the contract. */
  readonly blocked: string;
  readonly recommended: string;
  readonly readiness: string;
  readonly running: string;
  readonly verifying: string;
  readonly deployment: string;
  /** A session with stale passes, which the owner can carry over. */
  readonly stale: string;
  /** A session whose deployment is authorized. */
  readonly release: string;
  readonly ended: string;
  readonly paused: string;
  /** A session in which Agent A's access is revoked. */
  readonly revoked: string;
}

interface Place {
  readonly parley: Parley;
  readonly owner: Owner;
  readonly clock: HurryingClock;
}

const MINUTE_MS = 60_000;
const SILENCE_MS = 25 * MINUTE_MS;
const UNTIL_NOW_MS = 24 * 60 * MINUTE_MS;

/** Plays one session for each state that the console shows differently. */
export async function playSessions({ parley, owner, clock }: Place): Promise<Sessions> {
  const [capture, sync, webhooks] = [
    await loadMission('payment-capture'),
    await loadMission('offline-sync'),
    await loadMission('signed-webhooks'),
  ];
  const moderated = withModerator(capture);
  const played: JoinedAgents[] = [];
  const id = async (mission: Mission): Promise<string> => {
    const joined = await play(parley, owner, mission);
    played.push(joined);
    return joined.sessionId;
  };
  const named = (mission: Mission, title: string, more: { readonly group?: string } = {}): Mission => ({
    ...mission,
    session: { ...mission.session, title, ...more },
  });
  const group = 'Captures at the counter';
  const ended = await id(named(moderated, 'Captures of the old shop'));
  const paused = await id(named(upTo(sync, 'discussion', 4), 'Sync of the archive'));
  await owner.pause(paused, { reason: 'The provider changes its sandbox until Thursday.' });
  const { session_id: alone } = await owner.createSession({ ...sync.session, title: 'Photos of inspections' });
  await owner.start(alone);
  const revoked = await id(named(upTo(sync, 'discussion', 6), 'Legal hold on reports'));
  await owner.revoke(revoked, { role: 'agent_a' });
  clock.pass(SILENCE_MS);
  const verifying = await id(upToCall(webhooks, 'verify_submit_fix'));
  const running = await id(
    named(upToCall(webhooks, 'verify_verify', { scenario_id: 'v-replay' }), 'Webhooks for partners'),
  );
  const deployment = await id(
    named(upToCall(moderated, 'authorize', { stage: 'deployment' }), 'Captures of the kiosk', { group }),
  );
  const release = await id(
    named(upToCall(moderated, 'authorize', { stage: 'activation' }), 'Captures of the market stall', { group }),
  );
  const stale = await playStale(parley, owner, named(moderated, 'Captures of the bus'));
  played.push(stale);
  const readiness = await id(named(upTo(capture, 'readiness', 6), 'Captures of the app', { group }));
  const blocked = await id(upTo(sync, 'contract', 4));
  const recommended = await id(named(upTo(moderated, 'contract', 22), 'Captures by telephone'));
  const approval = await id(await loadLargeMission());
  const { session_id: draft } = await owner.createSession({ ...webhooks.session, title: 'Webhooks for the data team' });
  const planning = await play(parley, owner, upTo(moderated, 'discussion', 12));
  clock.pass(UNTIL_NOW_MS);
  for (const { sessionId, agents } of [...played, planning])
    if (sessionId !== recommended && sessionId !== ended) await callAll(agents);
  return {
    draft,
    alone,
    planning: planning.sessionId,
    approval,
    blocked,
    recommended,
    readiness,
    running,
    verifying,
    deployment,
    stale: stale.sessionId,
    release,
    ended,
    paused,
    revoked,
  };
}

/** Plays a mission up to its deployment, then declares a commit that changes a document and a comment: every pass is stale. */
async function playStale(parley: Parley, owner: Owner, mission: Mission): Promise<JoinedAgents> {
  const joined = await play(parley, owner, upToCall(withCarry(mission), 'authorize', { stage: 'deployment' }));
  const declared = mission.verification.findLast(({ by, call }) => by === 'agent_a' && call === 'verify_handshake');
  await joined.agents.agent_a('verify_handshake', {
    ...declared?.input,
    version: '2026.11.5',
    commit: 'd4077a1bb9e2c6350f8841adcc19e5b27f3a6d60',
    changes: { '91c7d35e0f84ab2269d0173c5e8b4fa7d62e9035': ['README.md', 'src/captures/send-key.ts'] },
  });
  return joined;
}

/**
 * Makes one call of each agent, so that the agent counts as present. The call of an agent with revoked access is
 * refused.
 */
const callAll = async (agents: JoinedAgents['agents']): Promise<void> => {
  await Promise.allSettled(Object.values(agents).map((call) => call('read_session_state', {})));
};

const SUBJECTS = ['Invoices', 'Refunds', 'Stock levels', 'Consent log', 'Price lists', 'Search index', 'Address book'];
const PLACES = [
  'of the web shop',
  'for the warehouse',
  'in the Nordic region',
  'between billing and the partner portal',
];

/** Adds small sessions, so that the table of sessions is long. */
export async function addSmallSessions({ parley, owner, clock }: Place, count: number): Promise<void> {
  const { session } = await loadMission('offline-sync');
  for (let index = 0; index < count; index += 1) {
    const title = `${SUBJECTS[index % SUBJECTS.length]} ${PLACES[index % PLACES.length]}`;
    const { session_id } = await owner.createSession({ ...session, title });
    clock.pass(2 * MINUTE_MS);
    if (index % 5 === 0) continue;
    for (const role of ['agent_a', 'agent_b'] as const)
      await parley.redeem({ code: (await owner.invite(session_id, { role })).code });
    await owner.start(session_id);
    if (index % 5 === 1) await owner.end(session_id, { end_reason: 'CANCELLED', note: 'Not this year.' });
    if (index % 10 === 2) await owner.pause(session_id, { reason: 'After the audit.' });
  }
}
