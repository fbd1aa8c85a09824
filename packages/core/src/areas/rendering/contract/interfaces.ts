import type { Contract, ContractInterface } from '../../document/contract.ts';
import { formatJson } from '../format-json.ts';
import { code, codes, fenced, inline, prose } from '../markdown.ts';
import { NONE, stack, tableOrNone } from '../wording.ts';

type Operation = ContractInterface['operations'][number];

/** Maximum length of a payload in a table cell. A longer payload is shown below the table. */
const MAX_CELL_CHARS = 60;
const BELOW = 'below';
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

function shownErrors(errors: readonly unknown[]): Shown {
  const shown = errors.map(shownShape);
  const isLong = shown.some(({ block }) => block !== undefined);
  return isLong
    ? { cell: BELOW, block: fenced(formatJson(errors), 'json') }
    : { cell: shown.map(({ cell }) => cell).join('; ') };
}
