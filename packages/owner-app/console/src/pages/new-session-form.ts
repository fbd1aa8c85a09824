type Letters = 'agent_a' | 'agent_b';

/** One of a list that can be reordered; `key` stays with it. */
interface Line {
  readonly key: number;
  readonly text: string;
}

export interface Requirement extends Line {
  readonly id: string;
}

export interface AgentForm {
  readonly name: string;
  readonly repository: string;
  readonly service: string;
}

/** What stands in the form, as it was typed. */
export interface SessionForm {
  readonly title: string;
  readonly objective: string;
  readonly guardrails: readonly Line[];
  readonly requirements: readonly Requirement[];
  readonly agents: Readonly<Record<Letters, AgentForm>>;
  readonly roundLimit: string;
  readonly firstTurn: string;
  readonly fixtureVersion: string;
  readonly secretPolicy: string;
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
  secretPolicy: 'refuse',
};

const nextKey = (lines: readonly Line[]): number => Math.max(0, ...lines.map(({ key }) => key)) + 1;

/** The first of `req-1`, `req-2` … that none has. */
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

/** The list with one of it moved, or as it was where there is no place to move to. */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): readonly T[] {
  const item = list[index];
  const other = list[index + by];
  if (item === undefined || other === undefined) return list;
  return list.with(index, other).with(index + by, item);
}

/** Without the guardrails that were added and left empty. */
export const tidied = (form: SessionForm): SessionForm => ({
  ...form,
  guardrails: form.guardrails.filter(({ text }) => text.trim() !== ''),
});

/** What createSession takes. What stays empty is left out, so that its default holds. */
export function inputOf(form: SessionForm): Readonly<Record<string, unknown>> {
  const { title, objective, guardrails, requirements, agents } = form;
  return {
    title,
    objective,
    guardrails: guardrails.map(({ text }) => text),
    requirements: requirements.map(({ id, text }) => ({ requirement_id: id, text })),
    agents: { agent_a: filled(agents.agent_a), agent_b: filled(agents.agent_b) },
    first_turn: form.firstTurn,
    secret_policy: form.secretPolicy,
    ...filled({ fixture_version: form.fixtureVersion }),
    ...(form.roundLimit.trim() === '' ? {} : { round_limit: numberOr(form.roundLimit.trim()) }),
  };
}

const filled = (texts: object): object =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => String(text).trim() !== ''));

/** What is no number goes as it is, and the refusal says so. */
const numberOr = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
