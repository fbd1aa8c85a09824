import { isRecord } from '@parley/core';
import type { Json } from '../client/request.ts';

/** The flags of `parley create` that describe the session. */
export interface SessionFlags {
  readonly title?: string;
  readonly objective?: string;
  readonly guardrail?: readonly string[];
  readonly requirement?: readonly string[];
  readonly roundLimit?: number;
  readonly firstTurn?: string;
  readonly fixtureVersion?: string;
  readonly secretPolicy?: string;
  readonly agentA?: string;
  readonly agentARepository?: string;
  readonly agentAService?: string;
  readonly agentB?: string;
  readonly agentBRepository?: string;
  readonly agentBService?: string;
}

/** The input of createSession: the members of the file, and in their place those given by flags. */
export function createInput(base: Json, flags: SessionFlags): Json {
  const given = {
    title: flags.title,
    objective: flags.objective,
    guardrails: flags.guardrail,
    requirements: flags.requirement?.map(requirementOf),
    round_limit: flags.roundLimit,
    first_turn: flags.firstTurn,
    fixture_version: flags.fixtureVersion,
    secret_policy: flags.secretPolicy,
    agents: agentsOf(recordIn(base, 'agents'), flags),
  };
  return { ...base, ...defined(given) };
}

/** Reads a requirement such as `req-1: No refund is paid twice.` A requirement without an id gets one with its number. */
function requirementOf(text: string, index: number): Json {
  const [, id, rest] = /^([\w.-]{1,60}):\s+(.+)$/s.exec(text) ?? [];
  return { requirement_id: id ?? `req-${index + 1}`, text: rest ?? text };
}

function agentsOf(base: Json, flags: SessionFlags): Json | undefined {
  const a = { name: flags.agentA, repository: flags.agentARepository, service: flags.agentAService };
  const b = { name: flags.agentB, repository: flags.agentBRepository, service: flags.agentBService };
  const agents = { agent_a: agentOf(recordIn(base, 'agent_a'), a), agent_b: agentOf(recordIn(base, 'agent_b'), b) };
  return agents.agent_a || agents.agent_b ? defined(agents) : undefined;
}

function agentOf(base: Json, flags: Json): Json | undefined {
  const agent = { ...base, ...defined(flags) };
  return Object.keys(agent).length > 0 ? agent : undefined;
}

const recordIn = (record: Json, member: string): Json => {
  const value = record[member];
  return isRecord(value) ? value : {};
};

const defined = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
