import type { Builder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import type { PHASES, SECRET_POLICIES } from './events.ts';

export const STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] as const;

export type Status = (typeof STATUSES)[number];
export type Phase = (typeof PHASES)[number];

interface AgentProfileState {
  readonly name: string;
  readonly repository: string;
  readonly service: string;
}

/** The owner's settings of the session, and its status and phase. */
export interface Profile {
  readonly title: string;
  readonly objective: string;
  readonly guardrails: readonly string[];
  readonly requirements: readonly { readonly requirement_id: string; readonly text: string }[];
  readonly roundLimit: number;
  readonly firstTurn: Builder;
  readonly fixtureVersion: string;
  readonly agents: Readonly<Record<Builder, AgentProfileState>>;
  readonly secretPolicy: (typeof SECRET_POLICIES)[number];
  readonly status: Status;
  readonly phase: Phase;
  readonly createdAt: string;
}

const nobody: AgentProfileState = { name: '', repository: '', service: '' };

export const emptyProfile: Profile = {
  title: '',
  objective: '',
  guardrails: [],
  requirements: [],
  roundLimit: 1,
  firstTurn: 'agent_a',
  fixtureVersion: '',
  agents: { agent_a: nobody, agent_b: nobody },
  secretPolicy: 'refuse',
  status: 'DRAFT',
  phase: 'PLANNING',
  createdAt: '',
};

export function evolveProfile(profile: Profile, event: SessionEvent): Profile {
  switch (event.kind) {
    case 'session.created':
      return {
        ...profile,
        title: event.data.title,
        objective: event.data.objective,
        guardrails: event.data.guardrails,
        requirements: event.data.requirements,
        roundLimit: event.data.round_limit,
        firstTurn: event.data.first_turn,
        fixtureVersion: event.data.fixture_version,
        agents: event.data.agents,
        secretPolicy: event.data.secret_policy,
        createdAt: event.at,
      };
    case 'session.started':
    case 'session.resumed':
      return { ...profile, status: 'ACTIVE' };
    case 'session.paused':
      return { ...profile, status: 'PAUSED' };
    case 'session.ended':
      return { ...profile, status: 'ENDED' };
    case 'rounds.extended':
      return { ...profile, roundLimit: event.data.round_limit };
    case 'phase.changed':
      return { ...profile, phase: event.data.to };
    default:
      return profile;
  }
}
