import { isRecord } from '@parley/core';
import type { Json } from '../../text/read-as.ts';
import { CliError, EXIT } from '../exit-codes.ts';

/** The flags of `parley create` that describe the session. */
export interface SessionFlags {
  readonly title?: string;
  readonly objective?: string;
  readonly guardrail?: readonly string[];
  readonly requirement?: readonly string[];
  readonly acceptance?: readonly string[];
  readonly environment?: string;
  readonly roundLimit?: number;
  readonly firstTurn?: string;
  readonly fixtureVersion?: string;
  readonly secretPolicy?: string;
  readonly requiredApprovals?: number;
  readonly group?: string;
  readonly agentA?: string;
  readonly agentARepository?: string;
  readonly agentAService?: string;
  readonly agentB?: string;
  readonly agentBRepository?: string;
  readonly agentBService?: string;
}

/** The input of `createSession`. A flag takes precedence over the same member of the file. */
export function createInput(base: Json, flags: SessionFlags): Json {
  const given = {
    title: flags.title,
    objective: flags.objective,
    guardrails: flags.guardrail,
    requirements: requirementsOf(base, flags),
    round_limit: flags.roundLimit,
    first_turn: flags.firstTurn,
    fixture_version: flags.fixtureVersion,
    environment: flags.environment,
    secret_policy: flags.secretPolicy,
    required_approvals: flags.requiredApprovals,
    group: flags.group,
    agents: agentsOf(recordIn(base, 'agents'), flags),
  };
  return { ...base, ...defined(given) };
}

/**
 * The requirements from the flags or, if no flag gives a requirement, from the file. If flags give acceptance criteria
 * for a requirement, these criteria replace all acceptance criteria of the requirement.
 */
function requirementsOf({ requirements: inFile }: Json, flags: SessionFlags): unknown {
  const requirements = flags.requirement?.map(requirementOf) ?? inFile;
  if (flags.acceptance === undefined || !Array.isArray(requirements)) return requirements;
  const given = flags.acceptance.map(requirementOf);
  const unknown = given.find(
    ({ requirement_id: id }) => !requirements.some((one) => isRecord(one) && one.requirement_id === id),
  );
  if (unknown)
    throw new CliError(
      EXIT.USAGE,
      `--acceptance "${String(unknown.text)}" does not name a requirement. Begin the text with the id of a requirement, such as "req-1: ".`,
    );
  return requirements.map((one) => {
    const criteria = given.filter(({ requirement_id: id }) => isRecord(one) && one.requirement_id === id);
    return criteria.length === 0 ? one : { ...one, acceptance_criteria: criteria.map(({ text }) => text) };
  });
}

/**
 * Parses a requirement such as `req-1: No refund is paid twice.` If the text does not begin with an id, the id is made
 * from `index`: `req-1` for index 0.
 */
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
