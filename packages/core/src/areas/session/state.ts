import type { z } from 'zod';
import type { Slice } from '../slice.ts';
import type { PHASES, sessionEvents } from './events.ts';

export const STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] as const;

export type Status = (typeof STATUSES)[number];
export type Phase = (typeof PHASES)[number];

type Created = z.output<(typeof sessionEvents)['session.created']['data']>;

/** The mission and the settings of the session, as the owner created them, and where the session stands. */
export interface Profile
  extends Readonly<Omit<Created, 'owner_id' | 'moderator_entitled' | 'quotas' | 'required_approvals'>> {
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
      const { owner_id: _, moderator_entitled: __, quotas: ___, required_approvals = 1, ...mission } = data;
      return { ...profile, ...mission, required_approvals, created_at: at };
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
