import { isRecord } from '../../../kernel/text/json-value.ts';
import type { Contract, ContractInterface } from '../../document/contract.ts';
import { formatJson } from '../format-json.ts';
import { bullets, code, codes, fenced, inline, lines, prose } from '../markdown.ts';
import { NONE, stack, tableOrNone } from '../wording.ts';

type Operation = ContractInterface['operations'][number];

/** Maximum length of a payload in a table cell. A longer payload is shown below the table. */
const MAX_CELL_CHARS = 60;
const BELOW = 'below';
const ITEM_INDENT = '  ';
const OPERATION_HEAD = ['Operation', 'Request', 'Response', 'Errors'];
const HAS_LINES = /[\r\n]/;

/** The Markdown of an interface. Payloads that are too long for the table are shown below the table. */
export function interfaceSection(item: ContractInterface, heading: string): string {
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

export const dataModelSections = (models: Contract['data_models'], heading: string): string =>
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
