import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import type { Builder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import { BuilderRole } from '../fields.ts';

export const STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] as const;
export const PHASES = ['PLANNING', 'CONTRACT', 'READINESS', 'VERIFY', 'RELEASE'] as const;
export const END_REASONS = ['COMPLETED', 'CANCELLED'] as const;
export const SECRET_POLICIES = ['refuse', 'warn'] as const;

export type Status = (typeof STATUSES)[number];
export type Phase = (typeof PHASES)[number];

const AgentProfile = z.strictObject({ name: z.string(), repository: z.string(), service: z.string() });
const Requirement = z.strictObject({ requirement_id: z.string(), text: z.string() });

export const sessionEvents = defineEvents({
  'session.created': {
    v: 1,
    seenBy: 'owner',
    message: false,
    data: z.strictObject({
      owner_id: z.string(),
      title: z.string(),
      objective: z.string(),
      guardrails: z.array(z.string()),
      requirements: z.array(Requirement),
      round_limit: z.int(),
      first_turn: BuilderRole,
      fixture_version: z.string(),
      agents: z.strictObject({ agent_a: AgentProfile, agent_b: AgentProfile }),
      secret_policy: z.enum(SECRET_POLICIES),
      moderator_entitled: z.boolean(),
      /** What each agent may make the session carry; the defaults of the release where it is left out. */
      quotas: z.strictObject({ bytes: z.int(), events: z.int(), revisions: z.int(), findings: z.int() }).optional(),
    }),
  },
  'session.started': { v: 1, seenBy: 'everyone', message: true, data: z.strictObject({}) },
  'session.paused': { v: 1, seenBy: 'everyone', message: true, data: z.strictObject({ reason: z.string() }) },
  'session.resumed': { v: 1, seenBy: 'everyone', message: true, data: z.strictObject({}) },
  'session.ended': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ end_reason: z.enum(END_REASONS), note: z.string().optional() }),
  },
  'rounds.extended': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ rounds: z.int(), round_limit: z.int() }),
  },
  'phase.changed': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ from: z.enum(PHASES), to: z.enum(PHASES) }),
  },
});

interface AgentProfileState {
  readonly name: string;
  readonly repository: string;
  readonly service: string;
}

/** What the owner set, and where the session stands. */
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
