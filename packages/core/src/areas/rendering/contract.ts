import { LRUCache } from 'lru-cache';
import { BUILDERS } from '../../kernel/roles.ts';
import { sha256Hex } from '../../kernel/text/hash.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { plural } from '../../kernel/text/readable.ts';
import {
  type Contract,
  type ContractInterface,
  type ContractTask,
  type ContractTest,
  GATE_STAGES,
  responsibleFor,
} from '../document/contract.ts';
import { leftOutOf, type ProfileTerms } from '../profiles.ts';
import { parseContract } from '../validation/nodes.ts';
import {
  bullets,
  code,
  codes,
  codesOrNone,
  covering,
  exact,
  fenced,
  formatJson,
  idAndTitle,
  inline,
  kindsOf,
  lines,
  listOrNone,
  NONE,
  numbered,
  prose,
  stack,
  tableOrNone,
  textList,
  visibleLabel,
} from './markdown.ts';

/** The document of a contract, and the tables and lists that the handoffs contain too. */

export interface DecidedText {
  readonly decision_id: string;
  readonly topic: string;
  readonly position: string;
}

/** A Markdown list of decisions, each with its id, its topic and its unchanged position. */
export const decisionList = (decisions: readonly DecidedText[]): string =>
  listOrNone(
    decisions.map(({ decision_id, topic, position }) => exact(`${code(decision_id)} ${inline(topic)}`, position, '  ')),
  );

type Operation = ContractInterface['operations'][number];

/** Maximum length of a payload in a table cell. A longer payload is shown below the table. */
const MAX_CELL_CHARS = 60;
const BELOW = 'below';
const ITEM_INDENT = '  ';
const OPERATION_HEAD = ['Operation', 'Request', 'Response', 'Errors'];
const HAS_LINES = /[\r\n]/;

/** The Markdown of an interface. Payloads that are too long for the table are shown below the table. */
function interfaceSection(item: ContractInterface, heading: string): string {
  const { id, name, kind, provider, consumers, description } = item;
  const operations = item.operations.map(shownOperation);
  return stack(
    `${heading} ${code(id)} ${inline(name)}`,
    `Kind: ${kind}. Provider: ${code(provider)}. Consumers: ${consumers.length > 0 ? codes(consumers) : 'none'}.`,
    prose(description),
    operations.length > 0
      ? tableOrNone(OPERATION_HEAD, operations.map(operationRow))
      : 'It has no operations of its own.',
    ...operations.flatMap(longShapes),
  );
}

const dataModelSections = (models: Contract['data_models'], heading: string): string =>
  models.length > 0
    ? stack(
        ...models.flatMap(({ id, name, json_schema }) => [
          `${heading} ${code(id)} ${inline(name)}`,
          fenced(formatJson(json_schema), 'json'),
        ]),
      )
    : NONE;

/**
 * A payload as a table cell shows it. If the payload is too long, `block` is shown below the table, and `cell` refers
 * to it.
 */
interface Shown {
  readonly cell: string;
  readonly block?: string;
}

const shownOperation = ({ name, request, response, errors = [] }: Operation) => ({
  name: code(name),
  request: shownShape(request),
  response: shownShape(response),
  errors: shownErrors(errors),
});

const operationRow = ({ name, request, response, errors }: ReturnType<typeof shownOperation>): string[] => [
  name,
  request.cell,
  response.cell,
  errors.cell,
];

const longShapes = ({ name, request, response, errors }: ReturnType<typeof shownOperation>): string[] => [
  ...(request.block ? [`Request of ${name}:`, request.block] : []),
  ...(response.block ? [`Response of ${name}:`, response.block] : []),
  ...(errors.block ? [`Errors of ${name}:`, errors.block] : []),
];

/** Shows a text without line breaks as text, and any other value as code. */
function shownShape(shape: unknown): Shown {
  if (shape === undefined) return { cell: '' };
  if (typeof shape === 'string')
    return HAS_LINES.test(shape) ? { cell: BELOW, block: fenced(shape, 'text') } : { cell: inline(shape) };
  const text = formatJson(shape);
  return text.length <= MAX_CELL_CHARS ? { cell: code(text) } : { cell: BELOW, block: fenced(text, 'json') };
}

/** Shows each error in words, and an error with inner objects or lists as JSON. */
function shownErrors(errors: readonly unknown[]): Shown {
  const shown = errors.map((error) => shownShape(errorWords(error) ?? error));
  const cell = shown.map((one) => one.cell).join('; ');
  const isLong = errors.some(isRecord) && cell.length > MAX_CELL_CHARS;
  return isLong || shown.some(({ block }) => block !== undefined)
    ? { cell: BELOW, block: bullets(errors.map(errorItem)) }
    : { cell };
}

function errorItem(error: unknown): string {
  const words = errorWords(error) ?? error;
  if (typeof words === 'string') return lines(words, ITEM_INDENT);
  return fenced(formatJson(words), 'json').replaceAll('\n', `\n${ITEM_INDENT}`);
}

/** The members of an error that are shown first, without their names. */
const NAMELESS = ['status', 'code'];

/** An error in words: `503 LEDGER_BUSY, meaning: Try again.` Undefined for one with inner objects or lists, or no members. */
function errorWords(error: unknown): string | undefined {
  if (!isRecord(error)) return undefined;
  const entries = Object.entries(error);
  if (entries.length === 0 || entries.some(([, value]) => typeof value === 'object' && value !== null))
    return undefined;
  const first = NAMELESS.flatMap((name) => (Object.hasOwn(error, name) ? [String(error[name])] : [])).join(' ');
  const others = entries
    .filter(([name]) => !NAMELESS.includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}: ${String(value)}`);
  return [first, ...others].filter(Boolean).join(', ');
}

const gateSections = (gates: Contract['gates'], heading: string): string[] =>
  GATE_STAGES.flatMap((stage) => [
    `${heading} Before ${stage}`,
    tableOrNone(
      ['Gate', 'Condition', 'Evidence'],
      gates
        .filter((gate) => gate.stage === stage)
        .map((gate) => [
          idAndTitle(gate),
          inline(gate.condition),
          [inline(gate.evidence ?? ''), runAsked(gate)].filter(Boolean).join('; '),
        ]),
    ),
  ]);

/** The run that meets a gate. Empty if the contract names none. */
function runAsked({ run }: Contract['gates'][number]): string {
  if (!run) return '';
  const { by, command, tests = [] } = run;
  const shown = tests.length > 0 ? `, which shows as passed: ${codes(tests)}` : '';
  return `a recorded run${command ? ` of ${code(command)}` : ''} by ${code(by)}${shown}`;
}

const riskTable = (risks: Contract['risks']): string =>
  tableOrNone(
    ['Risk', 'What may happen', 'Mitigation', 'Assignee'],
    risks.map(({ id, text, mitigation, assignee }) => [code(id), inline(text), inline(mitigation), code(assignee)]),
  );

function safetyList(contract: Contract): string {
  const kinds = kindsOf(contract);
  return listOrNone(
    contract.safety_conditions.map(
      ({ id, text, covered_by }) =>
        `${code(id)} ${inline(text)}\n  - Kept by: ${covering(covered_by, kinds) || 'nothing yet'}`,
    ),
  );
}

const dependencyTable = (dependencies: Contract['dependencies']): string =>
  tableOrNone(
    ['Dependency', 'Version', 'Brought by', 'Why'],
    dependencies.map(({ name, version = '', assignee, why }) => [
      code(name),
      code(version),
      code(assignee),
      inline(why),
    ]),
  );

const artifactTable = (artifacts: Contract['artifacts']): string =>
  tableOrNone(
    ['File', 'Media type', 'For', 'Bytes'],
    artifacts.map(({ filename, media_type, audience, content }) => [
      code(filename),
      code(media_type),
      audience === 'both' ? 'both' : code(audience),
      String(Buffer.byteLength(content)),
    ]),
  );

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

/**
 * A task as a checkbox with its details.
 * @param needs the dependencies of the task, one line each
 */
const taskItem = (task: ContractTask, needs: readonly string[]): string =>
  [
    `- [ ] ${idAndTitle(task)}`,
    ...needs.map((need) => `  - ${need}`),
    nested('Deliverables', task.deliverables),
    nested('Done when', task.done_when),
  ].join('\n');

const requirementsAndInterfaces = ({ requirements, interfaces }: ContractTask): string[] => [
  `Requirements: ${codesOrNone(requirements)}`,
  `Interfaces: ${codesOrNone(interfaces)}`,
];

function nested(label: string, texts: readonly string[]): string {
  if (texts.length === 0) return `  - ${label}: none`;
  const items = texts.map((text) => lines(text, '      '));
  return `  - ${label}:\n${bullets(items, '    ')}`;
}

type Interfaces = Pick<Contract, 'interfaces'>;

/** The tests of a contract, each with all its members below its title. Members without a value are left out. */
const testSections = (tests: readonly ContractTest[], contract: Interfaces, heading: string): string =>
  tests.length > 0
    ? stack(...tests.flatMap((test) => [`${heading} ${idAndTitle(test)}`, bullets(membersOf(test, contract))]))
    : NONE;

const membersOf = (test: ContractTest, contract: Interfaces): string[] => [
  ...member('Given', lines(test.given, '  ')),
  ...member('When', lines(test.when, '  ')),
  ...member('Then', lines(test.then, '  ')),
  `Executor: ${code(test.executor)}. Responsible: ${code(responsibleFor(contract, test))}.`,
  ...member('Requirements', codes(test.requirements)),
  ...member('Interfaces', codes(test.interfaces)),
  ...member('After tests', codes(test.depends_on)),
  ...member('Evidence', evidenceAsked(test)),
];

const member = (label: string, value: string): string[] => (value === '' ? [] : [`${label}: ${value}`]);

/** The evidence that a test requires besides one item from each agent. */
function evidenceAsked({ evidence_policy: policy }: ContractTest): string {
  if (!policy) return '';
  const kinds = BUILDERS.flatMap((builder) => {
    const asked = policy.per_agent_kinds?.[builder];
    return asked ? [`${code(builder)}: ${asked.join(', ')}`] : [];
  });
  const least = policy.min_items === undefined ? [] : [`at least ${plural(policy.min_items, 'item')} each`];
  const together = policy.correlated ? ['one `request_id` on both sides'] : [];
  const who = { owner: 'the owner', other_agent: 'the agent with the same commit, or the owner,' };
  const carry = policy.carry ? [`${who[policy.carry]} may carry a pass over to another commit`] : [];
  const level = policy.level ? [`level ${policy.level} or higher`] : [];
  const tests = BUILDERS.flatMap((builder) => {
    const named = policy.per_agent_tests?.[builder];
    return named ? [`${code(builder)} shows in a report as passed: ${codes(named)}`] : [];
  });
  return [...kinds, ...least, ...together, ...level, ...tests, ...carry].join('; ');
}

/**
 * The contract as a Markdown document for people. Equal contracts give equal documents. No text in the contract can add
 * headings, markup or links to the document.
 * @param decided the texts of the decisions that the contract names; if a text is missing, the document shows the
 * decision's id only
 * @param terms sections that the profile allows to leave out, and that the author left out, are not shown
 */
export function renderContract(
  contract: Contract,
  decided: readonly DecidedText[] = [],
  terms: Pick<ProfileTerms, 'optional'> = { optional: [] },
): string {
  const { title, summary, scope, decisions, interfaces, rollout } = contract;
  const leftOut = new Set<string>(leftOutOf(contract, terms));
  const section = (name: keyof Contract, ...parts: string[]): string => (leftOut.has(name) ? '' : stack(...parts));
  const document = stack(
    `# ${inline(title)}`,
    sizes(contract),
    prose(summary),
    section('scope', '## Scope', '### In scope', textList(scope.in), '### Out of scope', textList(scope.out)),
    '## Decisions',
    decisions.length > 0 ? `The contract rests on ${codes(decisions)}.` : NONE,
    decided.length > 0 ? decisionList(decided) : '',
    '## Interfaces',
    ...(interfaces.length > 0 ? interfaces.map((item) => interfaceSection(item, '###')) : [NONE]),
    section('data_models', '## Data models', dataModelSections(contract.data_models, '###')),
    '## Tasks',
    ...taskSections(contract),
    '## Tests',
    testSections(contract.tests, contract, '###'),
    section('gates', '## Gates', ...gateSections(contract.gates, '###')),
    section('risks', '## Risks', riskTable(contract.risks)),
    section('safety_conditions', '## Safety conditions', safetyList(contract)),
    section('dependencies', '## Dependencies', dependencyTable(contract.dependencies)),
    section('rollout', '## Rollout', numbered(rollout.steps), '### Rollback', prose(rollout.rollback)),
    section('artifacts', '## Artifacts', artifactTable(contract.artifacts)),
  );
  return `${document}\n`;
}

const sizes = ({ interfaces, tasks, tests, gates, fixture_version }: Contract): string =>
  [
    plural(interfaces.length, 'interface'),
    plural(tasks.length, 'task'),
    plural(tests.length, 'test'),
    plural(gates.length, 'gate'),
    `fixture version ${code(fixture_version)}`,
  ].join(' · ');

const taskSections = (contract: Contract): string[] => [
  ...BUILDERS.flatMap((builder) => [
    `### Tasks of ${code(builder)}`,
    contract.tasks
      .filter(({ assignee }) => assignee === builder)
      .map((task) =>
        taskItem(task, [...requirementsAndInterfaces(task), `Depends on: ${codesOrNone(task.depends_on)}`]),
      )
      .join('\n') || NONE,
  ]),
  '### Order of tasks',
  taskGraph(contract),
];

/** Maximum size of the cache, in characters of Markdown. Dozens of the longest contracts fit into the cache. */
const KEPT_CHARS = 16 * 1024 * 1024;

const rendered = new LRUCache<string, string>({ maxSize: KEPT_CHARS, sizeCalculation: ({ length }) => length + 1 });

/** A stored revision, and what its Markdown depends on besides. */
interface StoredContract {
  readonly hash: string;
  /** The RFC 8785 form of the contract, from which the hash was computed. */
  readonly text: string;
  readonly decided?: readonly DecidedText[] | undefined;
  readonly terms: Pick<ProfileTerms, 'optional'>;
}

/** The Markdown of a stored revision. Cached by the hash of the contract, the texts of its decisions and the profile. */
export function markdownOf({ hash, text, decided = [], terms }: StoredContract): string {
  const said = decided.length === 0 ? '' : sha256Hex(JSON.stringify(decided));
  const key = `${hash} ${said} ${terms.optional}`;
  const markdown = rendered.get(key) ?? renderAnyContract(JSON.parse(text), decided, terms);
  rendered.set(key, markdown);
  return markdown;
}

/** A contract that breaks its schema is shown as JSON. */
function renderAnyContract(
  value: unknown,
  decided: readonly DecidedText[],
  terms: Pick<ProfileTerms, 'optional'>,
): string {
  const parsed = parseContract(value);
  if (parsed.kind === 'contract') return renderContract(parsed.contract, decided, terms);
  const json = fenced(JSON.stringify(value, null, 2), 'json');
  return `# A contract that breaks its schema\n\nIt can only be shown as it was submitted.\n\n${json}\n`;
}
