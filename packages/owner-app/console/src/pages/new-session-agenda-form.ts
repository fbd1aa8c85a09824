import type { Json, Reader } from './session-file-reader.ts';

interface Topic {
  readonly key: number;
  readonly topic: string;
  readonly question: string;
}

export interface Scenario {
  readonly key: number;
  readonly id: string;
  readonly title: string;
  readonly given: string;
  readonly when: string;
  readonly outcome: string;
  /** `agent_a`, `agent_b`, or empty if the agents decide. */
  readonly executor: string;
  /** Ids of requirements, separated by commas or blanks. */
  readonly requirements: string;
  readonly policy: Json;
}

/** The agenda in the form, as the user typed it. */
export interface AgendaForm {
  readonly topics: readonly Topic[];
  readonly scenarios: readonly Scenario[];
}

export const EMPTY_AGENDA: AgendaForm = { topics: [], scenarios: [] };

/** A key that no entry of the list has. */
export const nextKey = (entries: readonly { readonly key: number }[]): number =>
  Math.max(0, ...entries.map(({ key }) => key)) + 1;

export const addTopic = ({ topics }: AgendaForm): Pick<AgendaForm, 'topics'> => ({
  topics: [...topics, { key: nextKey(topics), topic: '', question: '' }],
});

export function addScenario({ scenarios }: AgendaForm): Pick<AgendaForm, 'scenarios'> {
  const taken = new Set(scenarios.map(({ id }) => id));
  let number = scenarios.length + 1;
  while (taken.has(`test-${number}`)) number += 1;
  const empty = { title: '', given: '', when: '', outcome: '', executor: '', requirements: '', policy: {} };
  return { scenarios: [...scenarios, { key: nextKey(scenarios), id: `test-${number}`, ...empty }] };
}

const isBlank = (...texts: readonly string[]): boolean => texts.every((text) => text.trim() === '');

/** Removes topics and scenarios that were left empty. */
export const tidiedAgenda = ({ topics, scenarios }: AgendaForm): AgendaForm => ({
  topics: topics.filter(({ topic, question }) => !isBlank(topic, question)),
  scenarios: scenarios.filter(({ title, given, when, outcome }) => !isBlank(title, given, when, outcome)),
});

/** The member `agenda` of the input of `createSession`. Left out if the agenda is empty. */
export function inputOfAgenda(form: AgendaForm): object {
  if (form.topics.length + form.scenarios.length === 0) return {};
  const topics = form.topics.map(({ topic, question }) => ({ topic, question }));
  return { agenda: { topics, scenarios: form.scenarios.map(inputOfScenario) } };
}

const inputOfScenario = ({ id, title, given, when, outcome, executor, requirements, policy }: Scenario): object => ({
  id,
  title,
  given,
  when,
  // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a scenario.
  then: outcome,
  ...(executor === '' ? {} : { executor }),
  requirements: requirements.split(/[\s,]+/).filter(Boolean),
  ...(Object.keys(policy).length === 0 ? {} : { evidence_policy: policy }),
});

/** The names of the fields of the agenda, in the order of the page. */
export const agendaNames = ({ topics, scenarios }: AgendaForm): string[] => [
  'agenda',
  'agenda.topics',
  ...topics.flatMap((_, at) => ['topic', 'question'].map((member) => `agenda.topics[${at}].${member}`)),
  'agenda.scenarios',
  ...scenarios.flatMap((_, at) => SCENARIO_FIELDS.map((member) => `agenda.scenarios[${at}].${member}`)),
];

const SCENARIO_FIELDS = ['id', 'title', 'given', 'when', 'then', 'executor', 'requirements', 'evidence_policy'];

/** Reads the agenda of a file. */
export function agendaOf(value: unknown, read: Reader): AgendaForm {
  const { topics, scenarios } = read.record(value, 'agenda');
  return {
    topics: read.list(topics, 'agenda.topics').map((item, at) => {
      const path = `agenda.topics[${at}]`;
      const { topic, question } = read.record(item, path);
      return {
        key: at + 1,
        topic: read.text(topic, `${path}.topic`),
        question: read.text(question, `${path}.question`),
      };
    }),
    scenarios: read.list(scenarios, 'agenda.scenarios').map((item, at) => scenarioOf(item, at, read)),
  };
}

function scenarioOf(item: unknown, at: number, read: Reader): Scenario {
  const path = `agenda.scenarios[${at}]`;
  const given = read.record(item, path);
  const textOf = (member: string): string => read.text(given[member], `${path}.${member}`);
  return {
    key: at + 1,
    id: textOf('id'),
    title: textOf('title'),
    given: textOf('given'),
    when: textOf('when'),
    outcome: textOf('then'),
    executor: read.oneOf(given.executor ?? '', `${path}.executor`, ['', 'agent_a', 'agent_b']),
    requirements: read
      .list(given.requirements, `${path}.requirements`)
      .map((id, index) => read.text(id, `${path}.requirements[${index}]`))
      .join(', '),
    policy: read.record(given.evidence_policy, `${path}.evidence_policy`),
  };
}
