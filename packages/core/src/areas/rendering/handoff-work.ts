import { type Builder, otherBuilder } from '../../kernel/roles.ts';
import type { Contract, ContractTask, ContractTest } from '../document/contract.ts';
import { responsibleFor } from '../document/outline.ts';
import { visibleLabel } from './hidden-characters.ts';
import { code, codes, inline, lines } from './markdown.ts';
import { byId, inDependencyOrder } from './task-order.ts';
import { taskItem } from './tasks.ts';
import { evidenceAsked } from './tests.ts';
import { codesOrNone, idAndTitle, listOrNone, NONE } from './wording.ts';

/** Maximum length of a quotation; another part of the document has the full text. */
const MAX_QUOTE_CHARS = 160;

/** The work of one builder, for its handoff. */
export interface Work {
  /** Own tasks, each after the tasks that it depends on. */
  readonly tasks: readonly ContractTask[];
  /** The other agent's tasks that a task depends on. */
  waitsFor(task: ContractTask): readonly ContractTask[];
  /** Tasks of either agent that depend on a task. */
  waitingFor(task: ContractTask): readonly ContractTask[];
  /** Tests grouped by the builder's part in them; both builders give evidence for every test. */
  readonly tests: Readonly<Record<'executed' | 'responsible' | 'mended' | 'others', readonly ContractTest[]>>;
}

export function workOf(contract: Contract, builder: Builder): Work {
  const ordered = inDependencyOrder(contract.tasks);
  const tasksById = byId(contract.tasks);
  const dependents = dependentsIn(ordered);
  const isResponsible = (test: ContractTest) => responsibleFor(contract, test) === builder;
  const notExecuted = contract.tests.filter(({ executor }) => executor !== builder);
  return {
    tasks: ordered.filter(({ assignee }) => assignee === builder),
    waitsFor: ({ depends_on }) =>
      [...new Set(depends_on)].flatMap((id) => tasksById.get(id) ?? []).filter(({ assignee }) => assignee !== builder),
    waitingFor: ({ id }) => dependents.get(id) ?? [],
    tests: {
      executed: contract.tests.filter(({ executor }) => executor === builder),
      responsible: contract.tests.filter(isResponsible),
      mended: notExecuted.filter(isResponsible),
      others: notExecuted.filter((test) => !isResponsible(test)),
    },
  };
}

function dependentsIn(tasks: readonly ContractTask[]): ReadonlyMap<string, readonly ContractTask[]> {
  const dependents = new Map<string, ContractTask[]>();
  for (const task of tasks) {
    for (const id of new Set(task.depends_on)) {
      const known = dependents.get(id);
      if (known) known.push(task);
      else dependents.set(id, [task]);
    }
  }
  return dependents;
}

/** The own tasks as a checklist, with the text of their requirements and the dependencies between tasks. */
export function ownTasks(work: Work, builder: Builder, requirements: ReadonlyMap<string, string>): string {
  return work.tasks.map((task) => taskItem(task, needsOf(task, work, builder, requirements))).join('\n') || NONE;
}

function needsOf(
  task: ContractTask,
  work: Work,
  builder: Builder,
  requirements: ReadonlyMap<string, string>,
): string[] {
  const other = code(otherBuilder(builder));
  const awaited = work.waitsFor(task);
  const foreign = new Set(ids(awaited));
  const own = task.depends_on.filter((id) => !foreign.has(id));
  const waiting = work.waitingFor(task);
  const ownWaiting = waiting.filter(({ assignee }) => assignee === builder);
  const otherWaiting = waiting.filter(({ assignee }) => assignee !== builder);
  return [
    requirementItem(task, requirements),
    `Interfaces: ${codesOrNone(task.interfaces)}`,
    ...(task.depends_on.length === 0 ? ['Waits for nothing'] : []),
    ...(own.length > 0 ? [`After your own: ${codes(own)}`] : []),
    ...(awaited.length > 0 ? [`Waits for ${other}: ${titles(awaited)}`] : []),
    ...(ownWaiting.length > 0 ? [`Before your own: ${codes(ids(ownWaiting))}`] : []),
    ...(otherWaiting.length > 0 ? [`Awaited by ${other}: ${titles(otherWaiting)}`] : []),
  ];
}

export const ids = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

/** Cuts each title, because titles can be long and repeat often. */
const titles = (tasks: readonly ContractTask[]): string =>
  tasks.map(({ id, title }) => idAndTitle({ id, title: visibleLabel(title, MAX_QUOTE_CHARS) })).join('; ') || 'none';

function requirementItem(task: ContractTask, requirements: ReadonlyMap<string, string>): string {
  const known = [...new Set(task.requirements)].map((id) =>
    `    - ${code(id)} ${inline(visibleLabel(requirements.get(id) ?? '', MAX_QUOTE_CHARS))}`.trimEnd(),
  );
  return known.length > 0 ? `Requirements:\n${known.join('\n')}` : 'Requirements: none';
}

/** Each test as a list, to be read one at a time while building. */
export const testList = (tests: readonly ContractTest[], contract: Contract): string =>
  tests.map((test) => testItem(test, contract)).join('\n') || NONE;

function testItem(test: ContractTest, contract: Contract): string {
  const part = (label: string, text: string) => (text === '' ? [] : [`  - ${label}: ${text}`]);
  return [
    `- ${idAndTitle(test)}`,
    ...part('Given', lines(test.given, '    ')),
    ...part('When', lines(test.when, '    ')),
    ...part('Then', lines(test.then, '    ')),
    `  - Executor: ${code(test.executor)}. Responsible: ${code(responsibleFor(contract, test))}.`,
    ...part('Requirements', codes(test.requirements)),
    ...part('Interfaces', codes(test.interfaces)),
    ...part('After', codes(test.depends_on)),
    ...part('Evidence', evidenceAsked(test)),
  ].join('\n');
}

export const tasksOfOther = (contract: Contract, builder: Builder): string =>
  listOrNone(contract.tasks.filter(({ assignee }) => assignee !== builder).map(idAndTitle));
