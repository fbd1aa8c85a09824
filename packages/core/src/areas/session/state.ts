import type { z } from 'zod';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Role } from '../../kernel/roles.ts';
import type { SessionEvent, Slice } from '../catalog.ts';
import type { Findings } from '../findings/state.ts';
import type { Interventions } from '../interventions/state.ts';
import type { Questions } from '../planning/state.ts';
import type { PHASES, sessionEvents } from './events.ts';

export const STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] as const;

export type Status = (typeof STATUSES)[number];
export type Phase = (typeof PHASES)[number];

type Created = z.output<(typeof sessionEvents)['session.created']['data']>;

/** The mission and the settings of the session, as the owner created them, and where the session stands. */
export interface Profile
  extends Readonly<
    Omit<Created, 'owner_id' | 'moderator_entitled' | 'quotas' | 'required_approvals' | 'contract_author'>
  > {
  /** The number of approvers that the contract, the deployment and the activation each need. */
  readonly required_approvals: number;
  readonly status: Status;
  readonly phase: Phase;
  readonly created_at: string;
  /**
   * The `pause_id` of the `pauseAll` that has paused this session. Null if the session is not paused or another call
   * has paused it.
   */
  readonly pause_id: string | null;
}

const nobody = { name: '', repository: '', service: '' };

export const profileSlice: Slice<Profile> = {
  empty: {
    title: '',
    objective: '',
    guardrails: [],
    requirements: [],
    round_limit: 1,
    first_turn: 'agent_a',
    fixture_version: '',
    agents: { agent_a: nobody, agent_b: nobody },
    secret_policy: 'refuse',
    required_approvals: 1,
    status: 'DRAFT',
    phase: 'PLANNING',
    created_at: '',
    pause_id: null,
  },
  folds: {
    'session.created': (profile, { at, data }) => {
      const { owner_id: _, moderator_entitled: __, quotas: ___, contract_author: ____, ...mission } = data;
      return { ...profile, ...mission, required_approvals: data.required_approvals ?? 1, created_at: at };
    },
    'first_turn.chosen': (profile, event) => ({ ...profile, ...event.data }),
    'session.started': (profile) => ({ ...profile, status: 'ACTIVE', pause_id: null }),
    'session.resumed': (profile) => ({ ...profile, status: 'ACTIVE', pause_id: null }),
    'session.paused': (profile, event) => ({ ...profile, status: 'PAUSED', pause_id: event.data.pause_id ?? null }),
    'session.ended': (profile) => ({ ...profile, status: 'ENDED' }),
    'rounds.extended': (profile, event) => ({ ...profile, round_limit: event.data.round_limit }),
    'phase.changed': (profile, event) => ({ ...profile, phase: event.data.to }),
  },
};

/** Times of events, ISO 8601 UTC. Answers for the owner use these times to show since when a task waits. */
export interface Times {
  /** Null in DRAFT. */
  readonly startedAt: string | null;
  readonly statusAt: string;
  /** Time at which the latest pause began, even if that pause is over. Null if the session was never paused. */
  readonly pausedAt: string | null;
  /** Time of the last event that may have made the owner's next step possible. */
  readonly clearedAt: string;
  readonly wroteAt: Readonly<Partial<Record<Role, string>>>;
  readonly turnAt: string | null;
  /** Numbers of the events in which the owner paused the session or requested changes, oldest first. */
  readonly reasonSeqs: readonly number[];
}

export const timesSlice: Slice<Times, Before> = {
  empty: {
    startedAt: null,
    statusAt: '',
    pausedAt: null,
    clearedAt: '',
    wroteAt: {},
    turnAt: null,
    reasonSeqs: [],
  },
  folds: {},
  each: timesAfter,
};

/** What `Times` reads of the state before an event. */
export interface Before {
  readonly questions: Questions;
  readonly interventions: Interventions;
  readonly findings: Findings;
}

function timesAfter(times: Times, event: SessionEvent, before: Before): Times {
  const { actor, at, kind, seq } = event;
  return {
    startedAt: kind === 'session.started' ? at : times.startedAt,
    statusAt: STATUS_KINDS.has(kind) ? at : times.statusAt,
    pausedAt: kind === 'session.paused' ? at : times.pausedAt,
    clearedAt: clears(before, event) ? at : times.clearedAt,
    wroteAt: actor === 'system' ? times.wroteAt : { ...times.wroteAt, [actor]: at },
    turnAt: kind === 'turn.posted' || kind === 'first_turn.chosen' ? at : times.turnAt,
    reasonSeqs:
      kind === 'session.paused' || kind === 'changes.requested' ? [...times.reasonSeqs, seq] : times.reasonSeqs,
  };
}

/**
 * Milliseconds of the latest pause after `sinceMs`. 0 unless the session is ACTIVE. The time is not counted as a delay of
 * an agent, because an agent can do nothing during a pause.
 */
export function pausedMs({ times, profile }: Paused, sinceMs: number): number {
  if (times.pausedAt === null || profile.status !== 'ACTIVE') return 0;
  return Math.max(0, Date.parse(times.statusAt) - Math.max(Date.parse(times.pausedAt), sinceMs));
}

interface Paused {
  readonly times: Times;
  readonly profile: { readonly status: string };
}

/** Kinds of events that set the status of the session. */
const STATUS_KINDS: ReadonlySet<SessionEvent['kind']> = new Set<SessionEvent['kind']>([
  'session.created',
  'session.started',
  'session.paused',
  'session.resumed',
  'session.ended',
]);

/**
 * Kinds of events after which an approval or an authorization may be possible. Pausing and resuming are missing, so
 * that a pause does not change the time since which a task waits.
 */
const STEPS: ReadonlySet<SessionEvent['kind']> = new Set<SessionEvent['kind']>([
  'access.revoked',
  'activation.authorized',
  'attempt.started',
  'build.authorized',
  'contract.approved',
  'contract.validated',
  'decision.accepted',
  'decision.rejected',
  'decision.withdrawn',
  'defect.closed',
  'defect.waived',
  'deployment.authorized',
  'entitlement.changed',
  'handshake.declared',
  'hold.released',
  'intervention.acknowledged',
  'moderator.stopped',
  'moderator_review.overridden',
  'moderator_review.submitted',
  'preflight.submitted',
  'readiness.checked',
  'readiness.submitted',
  'review.submitted',
  'revision.created',
  'session.created',
  'session.started',
  'verdict.given',
]);

/**
 * Whether an event may have made the owner's next step possible. Closing a question or an intervention counts only if
 * it was blocking. Closing a finding counts only if it was blocking or disputed a readiness answer.
 */
function clears({ questions, interventions, findings }: Before, event: SessionEvent): boolean {
  switch (event.kind) {
    case 'question.answered':
      return lookUp(questions.all, event.data.question_id)?.blocking === true;
    case 'intervention.answered':
    case 'intervention.withdrawn':
      return lookUp(interventions.all, event.data.intervention_id)?.blocking === true;
    case 'finding.resolved':
    case 'finding.overridden': {
      const finding = lookUp(findings.all, event.data.finding_id);
      return finding?.blocking === true || finding?.answer_of !== undefined;
    }
    default:
      return STEPS.has(event.kind);
  }
}
