import type { Builder } from '../../kernel/roles.ts';
import type { Slice } from '../slice.ts';
import type { PHASES, SECRET_POLICIES } from './events.ts';

export const STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] as const;

export type Status = (typeof STATUSES)[number];
export type Phase = (typeof PHASES)[number];

interface AgentProfileState {
  readonly name: string;
  readonly repository: string;
  readonly service: string;
}

export interface Requirement {
  readonly requirement_id: string;
  readonly text: string;
  /** The conditions by which the owner judges whether the requirement is met. */
  readonly acceptance_criteria?: readonly string[] | undefined;
}

export interface Profile {
  readonly title: string;
  readonly objective: string;
  readonly guardrails: readonly string[];
  readonly requirements: readonly Requirement[];
  readonly roundLimit: number;
  readonly firstTurn: Builder;
  readonly fixtureVersion: string;
  /** The environment in which the agents verify. Absent if the owner has named none. */
  readonly environment?: string | undefined;
  readonly agents: Readonly<Record<Builder, AgentProfileState>>;
  readonly secretPolicy: (typeof SECRET_POLICIES)[number];
  /** The number of approvers that the contract, the deployment and the activation each need. */
  readonly requiredApprovals: number;
  readonly status: Status;
  readonly phase: Phase;
  readonly createdAt: string;
  /**
   * The `pause_id` of the `pauseAll` that has paused this session. Null if the session is not paused or another call
   * has paused it.
   */
  readonly pauseId: string | null;
}

const nobody: AgentProfileState = { name: '', repository: '', service: '' };

export const profileSlice: Slice<Profile> = {
  empty: {
    title: '',
    objective: '',
    guardrails: [],
    requirements: [],
    roundLimit: 1,
    firstTurn: 'agent_a',
    fixtureVersion: '',
    agents: { agent_a: nobody, agent_b: nobody },
    secretPolicy: 'refuse',
    requiredApprovals: 1,
    status: 'DRAFT',
    phase: 'PLANNING',
    createdAt: '',
    pauseId: null,
  },
  folds: {
    'session.created': (profile, event) => ({
      ...profile,
      title: event.data.title,
      objective: event.data.objective,
      guardrails: event.data.guardrails,
      requirements: event.data.requirements,
      roundLimit: event.data.round_limit,
      firstTurn: event.data.first_turn,
      fixtureVersion: event.data.fixture_version,
      ...(event.data.environment === undefined ? {} : { environment: event.data.environment }),
      requiredApprovals: event.data.required_approvals ?? 1,
      agents: event.data.agents,
      secretPolicy: event.data.secret_policy,
      createdAt: event.at,
    }),
    'first_turn.chosen': (profile, event) => ({ ...profile, firstTurn: event.data.first_turn }),
    'session.started': (profile) => ({ ...profile, status: 'ACTIVE', pauseId: null }),
    'session.resumed': (profile) => ({ ...profile, status: 'ACTIVE', pauseId: null }),
    'session.paused': (profile, event) => ({ ...profile, status: 'PAUSED', pauseId: event.data.pause_id ?? null }),
    'session.ended': (profile) => ({ ...profile, status: 'ENDED' }),
    'rounds.extended': (profile, event) => ({ ...profile, roundLimit: event.data.round_limit }),
    'phase.changed': (profile, event) => ({ ...profile, phase: event.data.to }),
  },
};
