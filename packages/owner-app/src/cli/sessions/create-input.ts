import { CreateSessionInput, isRecord } from '@parley/core';
import type { Json } from '../../text/read-as.ts';
import { wrongUsage } from '../exit-codes.ts';
import { flagsOf, inputOf, makeOptional } from '../flags/flags.ts';

/** The members of a new session that have flags of other names, or none. */
const WITHOUT_FLAG: ReadonlySet<string> = new Set(['guardrails', 'requirements', 'agenda', 'agents', 'source']);

/** The flags for members of a new session, such as `--round-limit`. A file can have the members, so none is mandatory. */
export const MEMBER_FLAGS = flagsOf(CreateSessionInput).filter(({ member }) => !WITHOUT_FLAG.has(member));
makeOptional(MEMBER_FLAGS);

/** The flags of `parley create` that describe the session. */
export interface SessionFlags extends Json {
  readonly guardrail?: readonly string[];
  readonly requirement?: readonly string[];
  readonly acceptance?: readonly string[];
}

/**
 * The input of `createSession`. A flag takes precedence over the same member of `base`. Guardrails and requirements of flags are
 * added to those of `base`, and a requirement with the id of one of them gives it another text.
 */
export function createInput(base: Json, flags: SessionFlags): Json {
  const given = {
    guardrails: flags.guardrail && [...listIn(base, 'guardrails'), ...flags.guardrail],
    requirements: requirementsOf(base, flags),
    agents: agentsOf(recordIn(base, 'agents'), flags),
  };
  return { ...base, ...inputOf(MEMBER_FLAGS, flags), ...defined(given) };
}

/**
 * The requirements of `base` and of the flags. If flags give acceptance criteria for a requirement, these criteria replace all
 * acceptance criteria of the requirement.
 */
function requirementsOf(base: Json, flags: SessionFlags): unknown {
  const requirements = withRequirements(base, flags);
  if (flags.acceptance === undefined || !Array.isArray(requirements)) return requirements;
  const given = flags.acceptance.map(requirementOf);
  const unknown = given.find(
    ({ requirement_id: id }) => !requirements.some((one) => isRecord(one) && one.requirement_id === id),
  );
  if (unknown)
    throw wrongUsage(
      `--acceptance "${String(unknown.text)}" does not name a requirement. Begin the text with the id of a requirement, such as "req-1: ".`,
    );
  return requirements.map((one) => {
    const criteria = given.filter(({ requirement_id: id }) => isRecord(one) && one.requirement_id === id);
    return criteria.length === 0 ? one : { ...one, acceptance_criteria: criteria.map(({ text }) => text) };
  });
}

/** The requirements of `base` and of the flags. One of a flag without an id gets an id that no other has. */
function withRequirements(base: Json, { requirement = [] }: SessionFlags): unknown {
  if (requirement.length === 0) return base.requirements;
  const idOf = (one: unknown): unknown => isRecord(one) && one.requirement_id;
  const earlier = listIn(base, 'requirements');
  const named = requirement.flatMap((text) => (WITH_ID.test(text) ? [idOf(requirementOf(text, 0))] : []));
  const taken = new Set([...earlier.map(idOf), ...named]);
  const free = (index: number): number => (taken.has(`req-${index + 1}`) ? free(index + 1) : index);
  const given = requirement.map((text, index) => {
    const one = requirementOf(text, free(earlier.length + index));
    taken.add(one.requirement_id);
    return one;
  });
  const replaced = new Set<Json>();
  const inPlace = earlier.map((one) => {
    const other = given.find((each) => isRecord(one) && idOf(each) === one.requirement_id);
    if (other) replaced.add(other);
    return other ? { ...Object(one), ...other } : one;
  });
  return [...inPlace, ...given.filter((one) => !replaced.has(one))];
}

/** A text that begins with the id of a requirement. */
const WITH_ID = /^([\w.-]{1,60}):\s+(.+)$/s;

/**
 * Parses a requirement such as `req-1: No refund is paid twice.` If the text does not begin with an id, the id is made
 * from `index`: `req-1` for index 0.
 */
function requirementOf(text: string, index: number): Json {
  const [, id, rest] = WITH_ID.exec(text) ?? [];
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

export const recordIn = (record: Json, member: string): Json => {
  const value = record[member];
  return isRecord(value) ? value : {};
};

export const listIn = (record: Json, member: string): readonly unknown[] => {
  const value = record[member];
  return Array.isArray(value) ? value : [];
};

const defined = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
