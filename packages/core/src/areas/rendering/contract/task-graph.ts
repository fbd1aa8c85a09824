import type { Contract, ContractTask } from '../../document/contract.ts';
import { visibleLabel } from '../hidden-characters.ts';
import { fenced } from '../markdown.ts';

/**
 * Maximum number of tasks and of dependencies in the drawing. People cannot read a larger drawing, and Mermaid refuses
 * more than 500 edges.
 */
const MAX_TASKS = 150;
const MAX_EDGES = 500;
const MAX_TITLE_CHARS = 48;
/**
 * Matches characters that Mermaid would interpret: markup, the starts of lists, and the ligature that Mermaid uses for
 * entities. In labels they become numeric entities.
 */
const ACTIVE_IN_LABEL = /[^\p{L}\p{M}\p{N} .,/_-]|ﬂ|^-|(?<=^\d{1,9})\.|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const STYLES = [
  'classDef agent_a fill:#dbeafe,stroke:#1d4ed8,color:#172554',
  'classDef agent_b fill:#fef3c7,stroke:#b45309,color:#451a03',
];

/**
 * The dependencies of the tasks as a Mermaid drawing in Markdown. If the drawing would be too large, a sentence that
 * says so.
 */
export function taskGraph({ tasks }: Pick<Contract, 'tasks'>): string {
  const nodeOf = new Map(tasks.map(({ id }, index): [string, string] => [id, `t${index + 1}`]).reverse());
  const edges = tasks.flatMap((task, index) =>
    [...new Set(task.depends_on)].flatMap((id) => edge(nodeOf.get(id), `t${index + 1}`)),
  );
  if (edges.length === 0) return 'No task waits for another.';
  if (tasks.length > MAX_TASKS || edges.length > MAX_EDGES)
    return `The drawing is left out: nobody could read ${tasks.length} tasks and ${edges.length} dependencies in one drawing.`;
  const nodes = tasks.map((task, index) => `t${index + 1}["${label(task)}"]:::${task.assignee}`);
  return fenced(['graph LR', ...[...nodes, ...edges, ...STYLES].map((line) => `  ${line}`)].join('\n'), 'mermaid');
}

const edge = (from: string | undefined, to: string): string[] => (from ? [`${from} --> ${to}`] : []);

const label = ({ id, title }: ContractTask): string =>
  `${inLabel(id)}<br/>${inLabel(visibleLabel(title, MAX_TITLE_CHARS))}`;

const inLabel = (text: string): string => text.replace(ACTIVE_IN_LABEL, (char) => `#${char.codePointAt(0)};`);
