import { isRecord, readJsonFile } from '@parley/core/json';
import type { SessionView } from '../api/types.ts';
import {
  type AgendaForm,
  agendaNames,
  agendaOf,
  EMPTY_AGENDA,
  inputOfAgenda,
  nextKey,
  tidiedAgenda,
} from './new-session-agenda-form.ts';
import { createReader, type Json, kindOf, type Reader } from './session-file-reader.ts';

type Letters = 'agent_a' | 'agent_b';

/** An entry of a list that the user can reorder. `key` identifies the entry. */
interface Line {
  readonly key: number;
  readonly text: string;
}

export interface Requirement extends Line {
  readonly id: string;
  /** The acceptance criteria, one on each line. An indented line belongs to the criterion above it. */
  readonly criteria?: string;
}

interface AgentForm {
  readonly name: string;
  readonly repository: string;
  readonly service: string;
}

/** The values of the form, as the user typed them. */
export interface SessionForm extends AgendaForm {
  /** `full` or `light`. */
  readonly profile: string;
  readonly title: string;
  readonly objective: string;
  readonly guardrails: readonly Line[];
  readonly requirements: readonly Requirement[];
  readonly agents: Readonly<Record<Letters, AgentForm>>;
  readonly roundLimit: string;
  readonly firstTurn: string;
  readonly fixtureVersion: string;
  readonly environment: string;
  readonly secretPolicy: string;
  /** Number of people who must approve the contract and authorize each step, `1` or `2`. */
  readonly requiredApprovals: string;
  readonly group: string;
  /** Where the text of the session was taken from, as its file says. No field changes it. */
  readonly source: Json;
}

export interface FormPart {
  readonly form: SessionForm;
  readonly change: (part: Partial<SessionForm>) => void;
  readonly errorAt: (name: string) => string | undefined;
}

const NO_AGENT: AgentForm = { name: '', repository: '', service: '' };

export const EMPTY_FORM: SessionForm = {
  profile: 'full',
  title: '',
  objective: '',
  guardrails: [],
  requirements: [{ key: 1, id: 'req-1', text: '' }],
  ...EMPTY_AGENDA,
  agents: { agent_a: NO_AGENT, agent_b: NO_AGENT },
  roundLimit: '10',
  firstTurn: 'agent_a',
  fixtureVersion: '1',
  environment: '',
  secretPolicy: 'refuse',
  requiredApprovals: '1',
  group: '',
  source: {},
};

/** Proposes an id such as `req-4` that no requirement has. */
export function proposeId(requirements: readonly { readonly id: string }[]): string {
  const taken = new Set(requirements.map(({ id }) => id));
  let number = requirements.length + 1;
  while (taken.has(`req-${number}`)) number += 1;
  return `req-${number}`;
}

export const addRequirement = (form: SessionForm): SessionForm => {
  const { requirements } = form;
  const added = { key: nextKey(requirements), id: proposeId(requirements), text: '' };
  return { ...form, requirements: [...requirements, added] };
};

export const addGuardrail = (form: SessionForm): SessionForm => ({
  ...form,
  guardrails: [...form.guardrails, { key: nextKey(form.guardrails), text: '' }],
});

/**
 * Returns the list with the entry at `index` moved one position up (-1) or down (1). If the entry is already the first
 * or the last and cannot move further, returns the list unchanged.
 */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): readonly T[] {
  const item = list[index];
  const other = list[index + by];
  if (item === undefined || other === undefined) return list;
  return list.with(index, other).with(index + by, item);
}

/** Removes empty guardrails, topics and scenarios from the form. */
export const tidied = (form: SessionForm): SessionForm => ({
  ...form,
  guardrails: form.guardrails.filter(({ text }) => text.trim() !== ''),
  ...tidiedAgenda(form),
});

/**
 * Makes the input of `createSession`. An optional field that is empty adds no member, so that the default of the
 * service applies.
 */
export function inputOf(form: SessionForm): Readonly<Record<string, unknown>> {
  const { title, objective, guardrails, requirements, agents } = form;
  return {
    ...(form.profile === 'full' ? {} : { profile: form.profile }),
    title,
    objective,
    guardrails: guardrails.map(({ text }) => text),
    requirements: requirements.map(({ id, text, criteria = '' }) => ({
      requirement_id: id,
      text,
      ...criteriaOf(criteria),
    })),
    ...inputOfAgenda(form),
    agents: { agent_a: filled(agents.agent_a), agent_b: filled(agents.agent_b) },
    first_turn: form.firstTurn,
    secret_policy: form.secretPolicy,
    ...(form.requiredApprovals === '1' ? {} : { required_approvals: numberOr(form.requiredApprovals) }),
    ...filled({ fixture_version: form.fixtureVersion, environment: form.environment, group: form.group }),
    ...(Object.keys(form.source).length === 0 ? {} : { source: form.source }),
    ...(form.roundLimit.trim() === '' ? {} : { round_limit: numberOr(form.roundLimit.trim()) }),
  };
}

/**
 * Splits a text into acceptance criteria: one for each line that is not empty, with the indented lines that
 * follow it at once. Without criteria, returns an object without members.
 */
function criteriaOf(text: string): object {
  const criteria = text
    .split(/\n(?=\S|\n)/)
    .map((one) => one.trim().replaceAll('\n  ', '\n'))
    .filter(Boolean);
  return criteria.length > 0 ? { acceptance_criteria: criteria } : {};
}

const criteriaText = (criteria: readonly string[]): string =>
  criteria.map((one) => one.trim().replaceAll('\n', '\n  ')).join('\n');

const filled = (texts: object): object =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => String(text).trim() !== ''));

/** Converts a text to a number. If the text is not a number, returns it unchanged, and the server refuses it. */
const numberOr = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The faults of a refused input, each with the field beside which it is shown. */
export interface PlacedIssues {
  /** Messages by the name of the field. */
  readonly at: ReadonlyMap<string, string>;
  /** Faults that belong to no field of the form. */
  readonly elsewhere: readonly Issue[];
  /** The first field with a fault, in the order of the page. Null if no field has a fault. */
  readonly first: string | null;
}

export const NO_ISSUES: PlacedIssues = { at: new Map(), elsewhere: [], first: null };

/** Lists the names of all fields, in the order of the page. The paths of the server's issues begin with these names. */
export const fieldNames = ({ guardrails, requirements, ...form }: SessionForm): string[] => [
  'profile',
  'title',
  'objective',
  'requirements',
  ...requirements.flatMap((_, index) => [
    `requirements[${index}].requirement_id`,
    `requirements[${index}].text`,
    `requirements[${index}].acceptance_criteria`,
  ]),
  ...agendaNames(form),
  'guardrails',
  ...guardrails.map((_, index) => `guardrails[${index}]`),
  ...['agent_a', 'agent_b'].flatMap((role) =>
    ['name', 'repository', 'service'].map((member) => `agents.${role}.${member}`),
  ),
  'round_limit',
  'first_turn',
  'fixture_version',
  'environment',
  'secret_policy',
  'required_approvals',
  'group',
];

/** Assigns each issue to a field. If the path of an issue begins with several names, the longest name is used. */
export function placeIssues(issues: readonly Issue[], names: readonly string[]): PlacedIssues {
  const at = new Map<string, string>();
  const elsewhere: Issue[] = [];
  for (const issue of issues) {
    const name = names
      .filter(
        (known) => issue.path === known || [`${known}.`, `${known}[`].some((start) => issue.path.startsWith(start)),
      )
      .toSorted((a, b) => b.length - a.length)[0];
    if (name === undefined) elsewhere.push(issue);
    else at.set(name, [at.get(name), issue.message].filter(Boolean).join(' '));
  }
  return { at, elsewhere, first: names.find((name) => at.has(name)) ?? null };
}

export const issuesIn = (body: Readonly<Record<string, unknown>>): Issue[] =>
  (Array.isArray(body.issues) ? body.issues : []).map((issue: unknown) => {
    const { path, message }: Partial<Record<string, unknown>> = Object(issue);
    return { path: String(path ?? ''), message: String(message ?? '') };
  });

/** The result of reading a file: a filled form or, if the file has faults, the faults. */
export type FileReading =
  | { readonly form: SessionForm; readonly unused: readonly string[] }
  | { readonly faults: readonly string[] };

const MEMBERS = [
  'profile',
  'title',
  'objective',
  'guardrails',
  'requirements',
  'agenda',
  'round_limit',
  'first_turn',
  'fixture_version',
  'environment',
  'agents',
  'secret_policy',
  'required_approvals',
  'group',
  'source',
];

/** Reads a file that describes a session, of a template or of a mission. `parley create` accepts the same files. */
export function readSessionFile(text: string): FileReading {
  const parsed = readJsonFile(text);
  return parsed.fault === undefined ? readSession(parsed.value) : { faults: [`The file ${parsed.fault}.`] };
}

/** Fills the form from the value of a file. */
export function readSession(whole: unknown): FileReading {
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
    profile: read.oneOf(session.profile, 'profile', ['full', 'light']),
    title: read.text(session.title, 'title'),
    objective: read.text(session.objective, 'objective'),
    requirements: requirementsOf(read.list(session.requirements, 'requirements'), read),
    guardrails: read
      .list(session.guardrails, 'guardrails')
      .map((item, index) => ({ key: index + 1, text: read.text(item, `guardrails[${index}]`) })),
    ...agendaOf(session.agenda, read),
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
    group: read.text(session.group, 'group'),
    source: read.record(session.source, 'source'),
  };
}

/** The rows of the form for the requirements of another session. */
export const requirementLines = (requirements: SessionView['requirements']): readonly Requirement[] =>
  requirements.map(({ requirement_id, text, acceptance_criteria = [] }, index) => ({
    ...{ key: index + 1, id: requirement_id, text },
    ...(acceptance_criteria.length > 0 && { criteria: criteriaText(acceptance_criteria) }),
  }));

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
    const criteria = criteriaText(
      read
        .list(given.acceptance_criteria, `${path}.acceptance_criteria`)
        .map((line, at) => read.text(line, `${path}.acceptance_criteria[${at}]`)),
    );
    requirements.push({ key: index + 1, id: id || proposeId(requirements), text, ...(criteria ? { criteria } : {}) });
  }
  return requirements.length > 0 ? requirements : EMPTY_FORM.requirements;
}
