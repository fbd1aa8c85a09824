import { type Builder, otherBuilder } from '../../../kernel/roles.ts';
import type { Contract, ContractTask, ContractTest } from '../../document/contract.ts';
import { responsibleFor } from '../../document/outline.ts';
import { bullets, code, codes } from '../markdown.ts';
import { NONE } from '../wording.ts';
import type { Pointers } from './pointers.ts';
import { byId, inDependencyOrder } from './task-order.ts';

export interface Work {
  /** The builder's tasks. Each task comes after the tasks on which it depends. */
  readonly tasks: readonly ContractTask[];
  /** The tasks of the other builder on which a task depends. */
  waitsFor(task: ContractTask): readonly ContractTask[];
  /** The tasks of both builders that depend on a task. */
  waitingFor(task: ContractTask): readonly ContractTask[];
  /**
   * The tests by the builder's part in them. `executed`: the builder executes the test. `responsible`: the builder
   * fixes the defects of the test. `fixedOnly`: the builder fixes the defects, but the other builder executes the test.
   * `others`: the builder does neither.
   */
  readonly tests: Readonly<Record<'executed' | 'responsible' | 'fixedOnly' | 'others', readonly ContractTest[]>>;
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
      fixedOnly: notExecuted.filter(isResponsible),
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

/** The builder's tasks as a Markdown checklist, with the dependencies between the tasks. */
export const ownTasks = (work: Work, builder: Builder, pointers: Pointers): string =>
  work.tasks.map((task) => `- [ ] ${pointers.of(task)}\n${bullets([needsOf(task, work, builder)], '  ')}`).join('\n') ||
  NONE;

function needsOf(task: ContractTask, work: Work, builder: Builder): string {
  const other = code(otherBuilder(builder));
  const awaited = work.waitsFor(task);
  const foreign = new Set(ids(awaited));
  const own = task.depends_on.filter((id) => !foreign.has(id));
  const waiting = work.waitingFor(task);
  const ownWaiting = waiting.filter(({ assignee }) => assignee === builder);
  const otherWaiting = waiting.filter(({ assignee }) => assignee !== builder);
  return [
    ...(task.depends_on.length === 0 ? ['waits for nothing'] : []),
    ...(own.length > 0 ? [`after your own ${codes(own)}`] : []),
    ...(awaited.length > 0 ? [`waits for ${codes(ids(awaited))} of ${other}`] : []),
    ...(ownWaiting.length > 0 ? [`before your own ${codes(ids(ownWaiting))}`] : []),
    ...(otherWaiting.length > 0 ? [`${other} waits for it with ${codes(ids(otherWaiting))}`] : []),
  ].join('; ');
}

export const ids = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);
