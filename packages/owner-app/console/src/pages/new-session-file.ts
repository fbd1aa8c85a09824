import { isRecord, readJsonFile } from '@parley/core/json';
import { type AgentForm, EMPTY_FORM, proposeId, type Requirement, type SessionForm } from './new-session-form.ts';

/** The result of reading a file: a filled form or, if the file has faults, the faults. */
export type FileReading =
  | { readonly form: SessionForm; readonly unused: readonly string[] }
  | { readonly faults: readonly string[] };

const MEMBERS = [
  'title',
  'objective',
  'guardrails',
  'requirements',
  'round_limit',
  'first_turn',
  'fixture_version',
  'environment',
  'agents',
  'secret_policy',
  'required_approvals',
];

/** Reads a file that describes a session, or a mission file. `parley create` accepts the same two kinds of files. */
export function readSessionFile(text: string): FileReading {
  const parsed = readJsonFile(text);
  if (parsed.fault !== undefined) return { faults: [`The file ${parsed.fault}.`] };
  const whole = parsed.value;
  if (!isRecord(whole))
    return { faults: [`The file contains ${kindOf(whole)}; expected the JSON object of a session or a mission.`] };
  const isMission = 'session' in whole;
  const session = isMission ? whole.session : whole;
  if (!isRecord(session)) return { faults: [`session: an object is expected, not ${kindOf(session)}.`] };
  if (!['title', 'objective', 'requirements'].some((member) => member in session))
    return { faults: ['The file describes no session: title, objective and requirements are missing.'] };
  const faults: string[] = [];
  const form = formOf(session, createReader(isMission ? 'session.' : '', faults));
  if (faults.length > 0) return { faults };
  return { form, unused: Object.keys(session).filter((member) => !MEMBERS.includes(member)) };
}

function formOf(session: Json, read: Reader): SessionForm {
  const { agent_a, agent_b } = read.record(session.agents, 'agents');
  return {
    title: read.text(session.title, 'title'),
    objective: read.text(session.objective, 'objective'),
    requirements: requirementsOf(read.list(session.requirements, 'requirements'), read),
    guardrails: read
      .list(session.guardrails, 'guardrails')
      .map((item, index) => ({ key: index + 1, text: read.text(item, `guardrails[${index}]`) })),
    agents: {
      agent_a: agentOf(agent_a, 'agents.agent_a', read),
      agent_b: agentOf(agent_b, 'agents.agent_b', read),
    },
    roundLimit: read.number(session.round_limit, 'round_limit') || EMPTY_FORM.roundLimit,
    firstTurn: read.oneOf(session.first_turn, 'first_turn', ['agent_a', 'agent_b']),
    fixtureVersion: read.text(session.fixture_version, 'fixture_version') || EMPTY_FORM.fixtureVersion,
    environment: read.text(session.environment, 'environment'),
    secretPolicy: read.oneOf(session.secret_policy, 'secret_policy', ['refuse', 'warn']),
    requiredApprovals: read.number(session.required_approvals, 'required_approvals') || EMPTY_FORM.requiredApprovals,
  };
}

function agentOf(value: unknown, path: string, read: Reader): AgentForm {
  const { name, repository, service } = read.record(value, path);
  return {
    name: read.text(name, `${path}.name`),
    repository: read.text(repository, `${path}.repository`),
    service: read.text(service, `${path}.service`),
  };
}

/**
 * Converts the requirements of the file to rows of the form. If the file has no requirements, returns one empty row.
 */
function requirementsOf(items: readonly unknown[], read: Reader): readonly Requirement[] {
  const requirements: Requirement[] = [];
  for (const [index, item] of items.entries()) {
    const path = `requirements[${index}]`;
    const given = read.record(item, path);
    const id = read.text(given.requirement_id, `${path}.requirement_id`);
    const text = read.text(given.text, `${path}.text`);
    const criteria = read
      .list(given.acceptance_criteria, `${path}.acceptance_criteria`)
      .map((line, at) => read.text(line, `${path}.acceptance_criteria[${at}]`))
      .join('\n');
    requirements.push({ key: index + 1, id: id || proposeId(requirements), text, ...(criteria ? { criteria } : {}) });
  }
  return requirements.length > 0 ? requirements : EMPTY_FORM.requirements;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads members of a file. If a member has a wrong type, a fault is recorded. A missing member is read as empty, and by
 * `oneOf` as the first of `known`.
 */
interface Reader {
  text(value: unknown, path: string): string;
  /** Reads a number as text, because the field of the form contains text. */
  number(value: unknown, path: string): string;
  oneOf(value: unknown, path: string, known: readonly [string, ...string[]]): string;
  list(value: unknown, path: string): readonly unknown[];
  record(value: unknown, path: string): Json;
}

function createReader(prefix: string, faults: string[]): Reader {
  const expect = (what: string, value: unknown, path: string): void => {
    faults.push(`${prefix}${path}: ${what} is expected, not ${kindOf(value)}.`);
  };
  const isMissing = (value: unknown): boolean => value === undefined || value === null;
  return {
    text(value, path) {
      if (typeof value === 'string') return value;
      if (!isMissing(value)) expect('a text', value, path);
      return '';
    },
    number(value, path) {
      if (typeof value === 'number') return String(value);
      if (!isMissing(value)) expect('a number', value, path);
      return '';
    },
    oneOf(value, path, known) {
      const found = known.find((word) => word === value);
      if (found === undefined && !isMissing(value)) expect(known.join(' or '), value, path);
      return found ?? known[0];
    },
    list(value, path) {
      if (Array.isArray(value)) return value;
      if (!isMissing(value)) expect('a list', value, path);
      return [];
    },
    record(value, path) {
      if (isRecord(value)) return value;
      if (!isMissing(value)) expect('an object', value, path);
      return {};
    },
  };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value.length <= 30 ? `"${value}"` : 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
