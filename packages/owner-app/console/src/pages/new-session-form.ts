type Letters = 'agent_a' | 'agent_b';

/** An entry of a list that the user can reorder. `key` identifies the entry. */
interface Line {
  readonly key: number;
  readonly text: string;
}

export interface Requirement extends Line {
  readonly id: string;
  /** The acceptance criteria, one on each line. */
  readonly criteria?: string;
}

export interface AgentForm {
  readonly name: string;
  readonly repository: string;
  readonly service: string;
}

/** The values of the form, as the user typed them. */
export interface SessionForm {
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
}

export interface FormPart {
  readonly form: SessionForm;
  readonly change: (part: Partial<SessionForm>) => void;
  readonly errorAt: (name: string) => string | undefined;
}

const NO_AGENT: AgentForm = { name: '', repository: '', service: '' };

export const EMPTY_FORM: SessionForm = {
  title: '',
  objective: '',
  guardrails: [],
  requirements: [{ key: 1, id: 'req-1', text: '' }],
  agents: { agent_a: NO_AGENT, agent_b: NO_AGENT },
  roundLimit: '10',
  firstTurn: 'agent_a',
  fixtureVersion: '1',
  environment: '',
  secretPolicy: 'refuse',
  requiredApprovals: '1',
};

const nextKey = (lines: readonly Line[]): number => Math.max(0, ...lines.map(({ key }) => key)) + 1;

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

/** Removes empty guardrails from the form. */
export const tidied = (form: SessionForm): SessionForm => ({
  ...form,
  guardrails: form.guardrails.filter(({ text }) => text.trim() !== ''),
});

/**
 * Makes the input of `createSession`. An optional field that is empty adds no member, so that the default of the
 * service applies.
 */
export function inputOf(form: SessionForm): Readonly<Record<string, unknown>> {
  const { title, objective, guardrails, requirements, agents } = form;
  return {
    title,
    objective,
    guardrails: guardrails.map(({ text }) => text),
    requirements: requirements.map(({ id, text, criteria = '' }) => ({
      requirement_id: id,
      text,
      ...criteriaOf(criteria),
    })),
    agents: { agent_a: filled(agents.agent_a), agent_b: filled(agents.agent_b) },
    first_turn: form.firstTurn,
    secret_policy: form.secretPolicy,
    ...(form.requiredApprovals === '1' ? {} : { required_approvals: numberOr(form.requiredApprovals) }),
    ...filled({ fixture_version: form.fixtureVersion, environment: form.environment }),
    ...(form.roundLimit.trim() === '' ? {} : { round_limit: numberOr(form.roundLimit.trim()) }),
  };
}

/**
 * Splits a text into acceptance criteria, one for each line that is not empty. Without criteria, returns an object
 * without members.
 */
function criteriaOf(text: string): object {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.length > 0 ? { acceptance_criteria: lines } : {};
}

const filled = (texts: object): object =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => String(text).trim() !== ''));

/** Converts a text to a number. If the text is not a number, returns it unchanged, and the server refuses it. */
const numberOr = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
