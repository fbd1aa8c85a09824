import { BUILDERS, otherBuilder } from '../../kernel/roles.ts';
import type { Contract, ContractTask } from '../document/contract.ts';
import { partiesOf } from './interfaces.ts';
import { byId } from './references.ts';
import type { Rule } from './rule.ts';

type Interfaces = ReadonlyMap<string, Contract['interfaces'][number]>;

/**
 * What a task can hand to the other builder: an interface of which that builder is a party (`isKnownToOther`), or its
 * deliverables.
 */
function handOverOf({ assignee, interfaces, deliverables }: ContractTask, interfaceOf: Interfaces) {
  const isKnownToOther = interfaces.some((id) => {
    const item = interfaceOf.get(id);
    return item !== undefined && partiesOf(item).has(otherBuilder(assignee));
  });
  return { assignee, isKnownToOther, deliverables: new Set(deliverables) };
}

function doMeet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  for (const text of smaller) if (larger.has(text)) return true;
  return false;
}

/** Rules about tasks. */
export const TASK_RULES: readonly Rule[] = [
  {
    reads: 'contract',
    code: 'BUILDER_WITHOUT_TASK',
    severity: 'warning',
    explanation: 'Each builder must have a task.',
    hint: 'Assign at least one task to this builder.',

    *check({ tasks }) {
      for (const builder of BUILDERS)
        if (!tasks.some(({ assignee }) => assignee === builder))
          yield { pointer: '/tasks', message: `No task is assigned to ${builder}.` };
    },
  },
  {
    reads: 'contract',
    code: 'TASK_WITHOUT_PURPOSE',
    severity: 'warning',
    explanation: 'Each task must name a requirement or an interface.',
    hint: 'Name the requirement or the interface that the task serves, or remove the task.',

    *check({ tasks }) {
      for (const [at, { id, requirements, interfaces }] of tasks.entries())
        if (requirements.length === 0 && interfaces.length === 0)
          yield { pointer: `/tasks/${at}`, message: `Task ${id} names neither a requirement nor an interface.` };
    },
  },
  {
    reads: 'contract',
    code: 'TASK_WITHOUT_DELIVERABLES',
    severity: 'warning',
    explanation: 'Each task must list its deliverables.',
    hint: 'List what the task produces: routes, modules, migrations, documents.',

    *check({ tasks }) {
      for (const [at, { id, deliverables }] of tasks.entries())
        if (deliverables.length === 0)
          yield { pointer: `/tasks/${at}/deliverables`, message: `Task ${id} has no deliverables.` };
    },
  },
  {
    reads: 'contract',
    code: 'TASK_WITHOUT_DONE_WHEN',
    severity: 'warning',
    explanation: 'Each task must have a condition in done_when that can be checked.',
    hint: 'In done_when, say what somebody can see or run when the task is done.',

    *check({ tasks }) {
      for (const [at, { id, done_when }] of tasks.entries())
        if (done_when.length === 0)
          yield { pointer: `/tasks/${at}/done_when`, message: `Task ${id} does not say when it is done.` };
    },
  },
  {
    reads: 'contract',
    code: 'TASK_WAITS_WITHOUT_INTERFACE',
    severity: 'warning',
    explanation: 'If a task depends on a task of the other builder, they must share an interface or deliverable.',
    hint: 'Name the same interface in both tasks, or the same deliverable.',

    *check({ tasks, interfaces }) {
      const interfaceOf = byId(interfaces);
      const handOvers = new Map(Array.from(byId(tasks), ([id, task]) => [id, handOverOf(task, interfaceOf)]));
      for (const [at, { id, assignee, depends_on, deliverables, done_when }] of tasks.entries()) {
        const own = new Set([...deliverables, ...done_when]);
        for (const [other, index] of new Map(depends_on.map((name, place) => [name, place]))) {
          const handOver = handOvers.get(other);
          if (!handOver || handOver.assignee === assignee || handOver.isKnownToOther) continue;
          if (!doMeet(own, handOver.deliverables))
            yield {
              pointer: `/tasks/${at}/depends_on/${index}`,
              message: `Task ${id} depends on task ${other} of ${handOver.assignee}, but they share no interface or deliverable.`,
            };
        }
      }
    },
  },
];
