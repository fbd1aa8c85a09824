import { isRecord, readJsonFile } from '@parley/core/json';
import type { Json } from '../../../src/text/read-as.ts';

/** Notes that the file has a value of a wrong type at a path. */
type Fault = (path: string, expected: string, value: unknown) => void;

/** A part of a form: how its value is kept as the user types it, read from a file, and sent. */
interface Part<Typed> {
  /** The value in an empty form, and where a file has no value or a wrong one. */
  readonly empty: Typed;
  read(value: unknown, path: string, fault: Fault): Typed;
  /** The value to send. Undefined if nothing is sent, so that the default of the service applies. */
  input(typed: Typed): unknown;
  /** The names of the fields, in the order of the page. The paths of the service's issues begin with these names. */
  names(typed: Typed, path: string): readonly string[];
}

/** The value that a part keeps. */
type Typed<P> = P extends Part<infer T> ? T : never;

/** A part with one field. `take` returns undefined for a value of a wrong type. */
const field = <T>(empty: T, expected: string, take: (value: unknown) => T | undefined): Part<T> => ({
  empty,
  read(value, path, fault) {
    if (value === undefined || value === null) return empty;
    const typed = take(value);
    if (typed === undefined) fault(path, expected, value);
    return typed || empty;
  },
  input: (typed) => typed,
  names: (_, path) => [path],
});

const text = (empty = ''): Part<string> =>
  field(empty, 'a text', (value) => (typeof value === 'string' ? value : undefined));

/** A number is kept as text. A text that is no number is sent as it is, and the service refuses it. */
const number = (empty: string): Part<string> => ({
  ...field(empty, 'a number', (value) => (typeof value === 'number' ? String(value) : undefined)),
  input: (typed) => (/^-?\d+(\.\d+)?$/.test(typed.trim()) ? Number(typed) : typed.trim()),
});

const oneOf = (words: readonly string[], empty: string): Part<string> =>
  field(empty, words.join(' or '), (value) => [...words, empty].find((word) => word === value));

/** An object of which the form shows some members at most. */
const json: Part<Json> = {
  ...field<Json>({}, 'an object', (value) => (isRecord(value) ? value : undefined)),
  input: (typed) => (Object.keys(typed).length > 0 ? typed : undefined),
};

/** Sends nothing for a blank text and for the default. */
const optional = (part: Part<string>, ...defaults: readonly string[]): Part<string> => ({
  ...part,
  input: (typed) => (typed.trim() === '' || defaults.includes(typed) ? undefined : part.input(typed)),
});

const items = field<readonly unknown[]>([], 'a list', (value) => (Array.isArray(value) ? value : undefined));

/** A list of texts that is typed in one field. */
const texts = (
  join: (list: readonly string[]) => string,
  split: (typed: string) => readonly string[] | undefined,
): Part<string> => ({
  ...text(),
  read: (value, path, fault) =>
    join(items.read(value, path, fault).map((item, at) => text().read(item, `${path}[${at}]`, fault))),
  input: split,
});

/** A text that is a row of a list. */
export const line: Part<{ readonly text: string }> = {
  ...field({ text: '' }, 'a text', (value) => (typeof value === 'string' ? { text: value } : undefined)),
  input: (typed) => typed.text,
};

/** A row of a list. `key` identifies the row while the user reorders the list. */
export type Row<T> = T & { readonly key: number };

const list = <T extends object>(part: Part<T>): Part<readonly Row<T>[]> => ({
  empty: [],
  read: (value, path, fault) =>
    items.read(value, path, fault).map((item, at) => ({ ...part.read(item, `${path}[${at}]`, fault), key: at + 1 })),
  input: (rows) => rows.map((row) => part.input(row)),
  names: (rows, path) => [path, ...rows.flatMap((row, at) => part.names(row, `${path}[${at}]`))],
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

const pathOf = (path: string, member: string): string => (path === '' ? member : `${path}.${member}`);

/** An object. Its members are the fields, in the order of the page. */
function record<T extends object>(parts: { readonly [M in keyof T]: Part<T[M]> }): Part<T> {
  const members = Object.entries(parts) as [keyof T & string, Part<T[keyof T]>][];
  const each = (make: (member: keyof T & string, part: Part<T[keyof T]>) => unknown): object =>
    Object.fromEntries(
      members.map(([member, part]) => [member, make(member, part)]).filter(([, made]) => made !== undefined),
    );
  return {
    empty: each((_, { empty }) => empty) as T,
    read(value, path, fault) {
      const given = json.read(value, path, fault);
      return each((member, part) => part.read(given[member], pathOf(path, member), fault)) as T;
    },
    input: (typed) => each((member, part) => part.input(typed[member])),
    names: (typed, path) => members.flatMap(([member, part]) => part.names(typed[member], pathOf(path, member))),
  };
}

/** What a component with fields of a form gets. */
export interface FieldsProps<T> {
  readonly item: T;
  /** Where the item is in the input, such as `requirements[0]`. Empty for the whole form. */
  readonly path: string;
  readonly onChange: (part: Partial<T>) => void;
  /** Why the server has refused the value at a path. */
  readonly errorAt: (path: string) => string | undefined;
}

type TextMember<T> = { [M in keyof T]: T[M] extends string ? M : never }[keyof T] & string;

/** Makes what the field of a member gets: its name, its value and its fault. */
export const fieldOf =
  <T extends object>({ item, path, onChange, errorAt }: FieldsProps<T>) =>
  (member: TextMember<T>) => ({
    name: pathOf(path, member),
    value: item[member] as string,
    error: errorAt(pathOf(path, member)),
    onChange: (value: string) => onChange({ [member]: value } as Partial<T>),
  });

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
interface PlacedIssues {
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
