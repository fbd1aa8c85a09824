import type { ContractTask } from '../../document/contract.ts';
import { bullets, lines } from '../markdown.ts';
import { codesOrNone, idAndTitle } from '../wording.ts';

/**
 * A task as a checkbox with its details.
 * @param needs the dependencies of the task, one line each
 */
export const taskItem = (task: ContractTask, needs: readonly string[]): string =>
  [
    `- [ ] ${idAndTitle(task)}`,
    ...needs.map((need) => `  - ${need}`),
    nested('Deliverables', task.deliverables),
    nested('Done when', task.done_when),
  ].join('\n');

export const requirementsAndInterfaces = ({ requirements, interfaces }: ContractTask): string[] => [
  `Requirements: ${codesOrNone(requirements)}`,
  `Interfaces: ${codesOrNone(interfaces)}`,
];

function nested(label: string, texts: readonly string[]): string {
  if (texts.length === 0) return `  - ${label}: none`;
  const items = texts.map((text) => lines(text, '      '));
  return `  - ${label}:\n${bullets(items, '    ')}`;
}
