import { isRecord, readJsonFile } from '@parley/core/json';
import { json, line, list, number, oneOf, optional, type Row, record, type Typed, text, texts } from './form-parts.ts';

const agent = record({ name: optional(text()), repository: optional(text()), service: optional(text()) });

/** The acceptance criteria, one on each line. An indented line belongs to the criterion above it. */
const criteria = texts(
  (given) => given.map((one) => one.trim().replaceAll('\n', '\n  ')).join('\n'),
  (typed) => {
    const split = typed.split(/\n(?=\S|\n)/).map((one) => one.trim().replaceAll('\n  ', '\n'));
    return split.some(Boolean) ? split.filter(Boolean) : undefined;
  },
);

/** Ids of requirements, separated by commas or blanks. */
const ids = texts(
  (given) => given.join(', '),
  (typed) => typed.split(/[\s,]+/).filter(Boolean),
);

export const requirement = record({ requirement_id: text(), text: text(), acceptance_criteria: criteria });
const requirementList = list(requirement);
type Requirement = Typed<typeof requirementList>[number];

/** A list without requirements is read as one empty row, and a requirement without an id gets one. */
const requirements: typeof requirementList = {
  ...requirementList,
  empty: [{ ...requirement.empty, key: 1, requirement_id: 'req-1' }],
  read(value, path, fault) {
    const rows: Requirement[] = [];
    for (const row of requirementList.read(value, path, fault))
      rows.push({ ...row, requirement_id: row.requirement_id || proposeId('req', rows.map(idOf)) });
    return rows.length > 0 ? rows : requirements.empty;
  },
};

export const idOf = ({ requirement_id }: Requirement): string => requirement_id;

export const topic = record({ topic: text(), question: text() });

export const scenario = record({
  id: text(),
  title: text(),
  given: text(),
  when: text(),
  // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a scenario.
  then: text(),
  executor: optional(oneOf(['agent_a', 'agent_b'], '')),
  requirements: ids,
  evidence_policy: json,
});

const topicsAndScenarios = record({ topics: list(topic), scenarios: list(scenario) });

/** An agenda can have faults of its own. An empty agenda is not sent. */
const agenda: typeof topicsAndScenarios = {
  ...topicsAndScenarios,
  input: (typed) => (typed.topics.length + typed.scenarios.length > 0 ? topicsAndScenarios.input(typed) : undefined),
  names: (typed, path) => [path, ...topicsAndScenarios.names(typed, path)],
};

/** The session that the form describes: the input of `createSession`. */
const SESSION = record({
  profile: optional(oneOf(['full', 'light'], 'full'), 'full'),
  title: text(),
  objective: text(),
  /** Where the text of the session was taken from, as its file says. No field changes it or shows its faults. */
  source: { ...json, names: () => [] },
  requirements,
  agenda,
  guardrails: list(line),
  agents: record({ agent_a: agent, agent_b: agent }),
  round_limit: optional(number('10')),
  first_turn: oneOf(['agent_a', 'agent_b'], 'agent_a'),
  fixture_version: optional(text('1')),
  environment: optional(text()),
  secret_policy: oneOf(['refuse', 'warn'], 'refuse'),
  /** Number of people who must approve the contract and authorize each step, `1` or `2`. */
  required_approvals: optional(number('1'), '1'),
  group: optional(text()),
});

/** The values of the form, as the user typed them. */
export type SessionForm = Typed<typeof SESSION>;

export const EMPTY_FORM = SESSION.empty;

export const inputOf = (form: SessionForm): Readonly<Record<string, unknown>> => Object(SESSION.input(form));

/** Lists the names of all fields, in the order of the page. */
export const fieldNames = (form: SessionForm): readonly string[] => SESSION.names(form, '');

/** The rows of the form for the requirements of another session. */
export const requirementLines = (given: readonly object[]): SessionForm['requirements'] =>
  requirements.read(given, 'requirements', () => undefined);

/** Proposes an id such as `req-4` that is not taken. */
export function proposeId(prefix: string, taken: readonly string[]): string {
  let count = taken.length + 1;
  while (taken.includes(`${prefix}-${count}`)) count += 1;
  return `${prefix}-${count}`;
}

/** Removes empty guardrails, topics and scenarios from the form. */
export const tidied = (form: SessionForm): SessionForm => ({
  ...form,
  guardrails: filled(form.guardrails, ['text']),
  agenda: {
    topics: filled(form.agenda.topics, ['topic', 'question']),
    scenarios: filled(form.agenda.scenarios, ['title', 'given', 'when', 'then']),
  },
});

/** The rows of which at least one of the members is not blank. */
const filled = <T extends object>(rows: readonly Row<T>[], members: readonly (keyof T)[]): readonly Row<T>[] =>
  rows.filter((row) => members.some((member) => String(row[member]).trim() !== ''));

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

/** Reads a file that describes a session, of a template or of a mission. `parley create` accepts the same files. */
export function readSessionFile(content: string): FileReading {
  const parsed = readJsonFile(content);
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
  const form = SESSION.read(session, '', (path, expected, value) => {
    faults.push(`${isMission ? 'session.' : ''}${path}: ${expected} is expected, not ${kindOf(value)}.`);
  });
  if (faults.length > 0) return { faults };
  return { form, unused: Object.keys(session).filter((member) => !(member in EMPTY_FORM)) };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value.length <= 30 ? `"${value}"` : 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
