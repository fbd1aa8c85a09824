import type { Contract, ContractInterface } from '../contract/contract.ts';
import { jsonText, shortJson } from './json-text.ts';
import { code, codes, fenced, inline, prose } from './markdown.ts';
import { NONE, stack, tableOrNone } from './wording.ts';

type Operation = ContractInterface['operations'][number];

/** What a cell of the overview still holds; longer shapes stand below it. */
const MAX_CELL_CHARS = 60;
const BELOW = 'below';
const OPERATION_HEAD = ['Operation', 'Request', 'Response', 'Errors'];
const HAS_LINES = /[\r\n]/;

/** One interface whole: who it is for, its operations, and every shape that is too long for their table. */
export function interfaceSection(item: ContractInterface, heading: string): string {
  const { id, name, kind, provider, consumers, description, operations } = item;
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

export const interfaceOverview = (interfaces: readonly ContractInterface[]): string =>
  tableOrNone(
    ['Interface', 'Name', 'Kind', 'Provider', 'Consumers'],
    interfaces.map(({ id, name, kind, provider, consumers }) => [
      code(id),
      inline(name),
      kind,
      code(provider),
      codes(consumers),
    ]),
  );

export const dataModelSections = (models: Contract['data_models'], heading: string): string =>
  models.length > 0
    ? stack(
        ...models.flatMap(({ id, name, json_schema }) => [
          `${heading} ${code(id)} ${inline(name)}`,
          fenced(jsonText(json_schema), 'json'),
        ]),
      )
    : NONE;

const operationRow = ({ name, request, response, errors = [] }: Operation): string[] => [
  code(name),
  inCell(request),
  inCell(response),
  errors.some(isLong) ? BELOW : errors.map(inCell).join('; '),
];

function longShapes({ name, request, response, errors = [] }: Operation): string[] {
  return [
    ...(isLong(request) ? [`Request of ${code(name)}:`, block(request)] : []),
    ...(isLong(response) ? [`Response of ${code(name)}:`, block(response)] : []),
    ...(errors.some(isLong) ? [`Errors of ${code(name)}:`, block(errors)] : []),
  ];
}

/** A sentence stays a sentence, however long; other values are code. */
function isLong(shape: unknown): boolean {
  if (typeof shape === 'string') return HAS_LINES.test(shape);
  return shape !== undefined && shortJson(shape, MAX_CELL_CHARS) === undefined;
}

function inCell(shape: unknown): string {
  if (shape === undefined) return '';
  if (isLong(shape)) return BELOW;
  return typeof shape === 'string' ? inline(shape) : code(jsonText(shape));
}

const block = (shape: unknown): string =>
  typeof shape === 'string' ? fenced(shape, 'text') : fenced(jsonText(shape), 'json');
