/**
 * The cause of an absence: why a builder of an ACTIVE session cannot or does not continue. The owner is informed of it.
 * Each builder has at most one cause:
 * - NOT_JOINED, REVOKED: it has no valid token. The log shows this.
 * - ENDED, ENDING: its token has expired, or expires within 30 minutes.
 * - SILENT: it has something to do and has made no call for some minutes. A waiting call counts as a call.
 * ENDED, ENDING and SILENT depend on the time and on the last calls, so they are found only with `presence`.
 */

import { latestTime } from '../../../kernel/clock.ts';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { BUILDERS, type Builder, type Presence } from '../../../kernel/roles.ts';
import { lastCallOf } from '../../access/rules.ts';
import { currentTokenOf, type Token } from '../../access/state.ts';
import { owesReport } from '../../actions/rules.ts';
import type { SessionState } from '../../state.ts';
import { isWaiting } from '../../task.ts';
import { nextTask } from '../../tasks/due.ts';
import { shortTask } from '../../tasks/task-text.ts';
import { pausedMs } from '../state.ts';
import { type OwnerWait, waitOf } from './waits.ts';

type Cause = 'NOT_JOINED' | 'REVOKED' | 'ENDED' | 'ENDING' | 'SILENT';

interface Absence {
  readonly cause: Cause;
  /** Time at which the absence began, ISO 8601 UTC. */
  readonly since: string;
  /** The cause and what the owner can do, in words that follow the name of the role in a sentence. */
  readonly text: string;
}

const ENDING_MS = 30 * 60_000;
/**
 * A builder that builds or rolls out makes few calls. It counts as silent only after this many times the usual time.
 */
const BUILDING_FACTOR = 4;

/**
 * The absent builders with their causes. Without `presence`, only the causes that the log shows: NOT_JOINED and
 * REVOKED.
 */
export function absencesOf(
  state: SessionState,
  presence?: Presence,
): { readonly cause: Cause; readonly wait: OwnerWait }[] {
  if (state.profile.status !== 'ACTIVE') return [];
  return BUILDERS.flatMap((role) => {
    const found = absenceOf(state, role, presence);
    if (!found) return [];
    const { cause, since, text } = found;
    const record = { type: 'agent', id: role };
    const wait = waitOf(
      { kind: 'AGENT_ABSENT', record, operation: 'invite', text: `${role} ${text}`, since },
      { payload: { role }, blocking: cause !== 'ENDING' && hasDuty(state, role) },
    );
    return [{ cause, wait }];
  });
}

/**
 * The time at which `absencesOf` will first report an absence if no event and no call happens before, in milliseconds
 * since the epoch. For an ACTIVE session.
 */
export const absentFromMs = (state: SessionState, presence: Presence): number =>
  earliestAbsence(state, (role, token) => {
    const holder = { role, token, presence };
    if (!hasDuty(state, role)) return Number.POSITIVE_INFINITY;
    const seenMs = lastSeenMs(state, holder);
    return seenMs + pausedMs(state, seenMs) + silenceMs(state, holder);
  });

/**
 * A time that is not later than `absentFromMs`, whatever the agents' last calls are. The builders' next steps are
 * ignored, because each append computes this time and the steps are expensive to compute.
 */
export const absentFromMsAtLeast = (state: SessionState, silentAfterMs: number): number =>
  earliestAbsence(state, (role, token) => {
    const knownMs = lastKnownMs(state, role, token);
    return knownMs + pausedMs(state, knownMs) + silentAfterMs;
  });

function earliestAbsence(state: SessionState, silentFromMs: (role: Builder, token: Token) => number): number {
  const times = BUILDERS.map((role) => {
    const token = tokenOf(state, role);
    const shown = absenceByLog(state, role, token);
    if (shown) return Date.parse(shown.since);
    if (!token) return Number.POSITIVE_INFINITY;
    return Math.min(Date.parse(token.expires_at) - ENDING_MS, silentFromMs(role, token));
  });
  return Math.min(...times);
}

/** Why the log says that a builder cannot read what it is sent: it has not joined, or its access is revoked. */
export const absenceCauseByLog = (state: SessionState, role: Builder): Cause | undefined =>
  absenceByLog(state, role, tokenOf(state, role))?.cause;

const tokenOf = ({ access }: SessionState, role: Builder): Token | undefined => currentTokenOf(access, role);

const hasDuty = (state: SessionState, role: Builder): boolean => !isWaiting(nextTask(state, role));

function absenceOf(state: SessionState, role: Builder, presence?: Presence): Absence | undefined {
  const token = tokenOf(state, role);
  const byLog = absenceByLog(state, role, token, presence?.nowMs);
  return byLog ?? (token && presence && absenceAt(state, { role, token, presence }));
}

/** NOT_JOINED or REVOKED; undefined for a valid token. Without `nowMs`, an unused invitation code counts as valid. */
function absenceByLog(state: SessionState, role: Builder, token: Token | undefined, nowMs = 0): Absence | undefined {
  if (!token) {
    const text = `has not joined: ${inviteWords(state, role, nowMs)}.`;
    return { cause: 'NOT_JOINED', since: state.times.startedAt ?? state.times.statusAt, text };
  }
  if (token.revoked_at === null) return undefined;
  const text = `has no access, because its token was revoked: ${inviteWords(state, role, nowMs)}.`;
  return { cause: 'REVOKED', since: token.revoked_at, text };
}

/** How the owner gives the builder access. The builder may have an unused invitation code that is still valid. */
function inviteWords({ access }: SessionState, role: Builder, nowMs: number): string {
  const code = lookUp(access.invitations, access.openCode[role] ?? '');
  if (code && Date.parse(code.expires_at) > nowMs) return 'pass its invitation code on';
  return code || access.currentToken[role] !== undefined ? 'invite it again' : 'invite it';
}

interface Holder {
  readonly role: Builder;
  readonly token: Token;
  readonly presence: Presence;
}

function absenceAt(state: SessionState, holder: Holder): Absence | undefined {
  const { role, token, presence } = holder;
  const { expires_at: ends } = token;
  const leftMs = Date.parse(ends) - presence.nowMs;
  if (leftMs <= 0)
    return {
      cause: 'ENDED',
      since: ends,
      text: `has no access, because its token has expired: ${inviteWords(state, role, presence.nowMs)}.`,
    };
  const seenMs = lastSeenMs(state, holder);
  if (presence.nowMs - seenMs - pausedMs(state, seenMs) >= silenceMs(state, holder) && hasDuty(state, role)) {
    const since = new Date(seenMs).toISOString();
    return {
      cause: 'SILENT',
      since,
      text: `is silent, and has to ${shortTask(nextTask(state, role))}: tell it to go on, or invite it again.`,
    };
  }
  if (leftMs > ENDING_MS) return undefined;
  const since = new Date(Date.parse(ends) - ENDING_MS).toISOString();
  return { cause: 'ENDING', since, text: 'loses access soon, when its token ends: invite it again before that.' };
}

/** Time of the builder's last known activity: of its last call, or of `lastKnownMs` if that is later. */
function lastSeenMs(state: SessionState, { role, token, presence }: Holder): number {
  const call = lastCallOf(token, presence.calls[role]);
  if (call?.isWaiting) return presence.nowMs;
  return Math.max(call?.atMs ?? 0, lastKnownMs(state, role, token));
}

/** The latest of these times: the builder's last event, the issue of its token, the start of the session. */
function lastKnownMs({ times }: SessionState, role: Builder, { issued_at }: Token): number {
  return Date.parse(latestTime([issued_at, times.wroteAt[role], times.startedAt]) ?? issued_at);
}

/**
 * Number of milliseconds after which the builder counts as silent. It is longer before the builder's first handshake
 * and before its report on the gates, because building and the rollout need few calls.
 */
function silenceMs(state: SessionState, { role, presence }: Holder): number {
  const isBuilding = state.manifest.build_authorized && !state.verify.handshakes[role];
  return presence.silentAfterMs * (isBuilding || owesReport(state, role) ? BUILDING_FACTOR : 1);
}
