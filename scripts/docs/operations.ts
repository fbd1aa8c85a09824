import { describeOperations, ERROR_KINDS, type JsonSchema, type OperationReference } from '@parley/core';
import { tableRow } from '../markdown-table.ts';

export const file = 'docs/operations.md';

export function render(): string {
  const { agents, owner } = describeOperations();
  return `${[
    '# Operations\n',
    'Generated from the registry by `pnpm docs:operations`. An agent reaches an operation by its REST route below',
    '`/api/public/agent/sessions/{session_id}/` or by its MCP tool at `/api/public/mcp`; the owner in process, over the',
    'owner HTTP API and with the `parley` command.\n',
    'A `?` marks an optional member. Every call can also raise the errors of [the table at the end](#errors) that belong to',
    'the request, the token and the service.\n',
    '## Agents\n',
    ...overview(agents),
    '\n## Owner\n',
    ...ownerOverview(owner),
    '\n## In detail\n',
    ...[...agents, ...owner].map(detail),
    '## Errors\n',
    ...errorTable(),
  ].join('\n')}\n`;
}

const overview = (operations: readonly OperationReference[]): string[] => [
  tableRow(['Tool', 'Route', 'Builder scope', 'Moderator', 'Effect']),
  tableRow(['---', '---', '---', '---', '---']),
  ...operations.map(({ name, route, access, isRead }) =>
    tableRow([
      link(name),
      route === null ? 'MCP only' : `\`${route}\``,
      access.builder ?? mark(access.anyone),
      moderator(access.moderator),
      isRead ? 'reads' : 'writes',
    ]),
  ),
];

const mark = (anyone: true | undefined): string => (anyone ? 'no token' : '');

const moderator = (permission: OperationReference['access']['moderator']): string =>
  permission === true ? 'yes' : (permission ?? '');

const ownerOverview = (operations: readonly OperationReference[]): string[] => [
  tableRow(['Operation', 'Effect', 'Summary']),
  tableRow(['---', '---', '---']),
  ...operations.map(({ name, isRead, summary }) => tableRow([link(name), isRead ? 'reads' : 'writes', summary])),
];

const link = (name: string): string => `[${name}](#${name.toLowerCase()})`;

function detail(operation: OperationReference): string {
  const { name, summary, phases, worksWhilePaused, worksAfterEnd, isRead, errors, access } = operation;
  const lines = [
    `### ${name}\n`,
    `${summary}\n`,
    ...members('Input', operation.input),
    ...members('Result', operation.output),
  ];
  if (phases.length > 0) lines.push(`Phases: ${phases.join(', ')}.\n`);
  if (worksAfterEnd) lines.push('Also works before the start, in a pause and after the end.\n');
  else if (worksWhilePaused === true) lines.push('Also works before the start and in a pause.\n');
  if (worksWhilePaused === 'moderator')
    lines.push('Works while the session is ACTIVE; for the moderator also in a pause.\n');
  if (!isRead && !worksWhilePaused && !access.owner && !access.anyone)
    lines.push('Works while the session is ACTIVE.\n');
  if (errors.length > 0) lines.push(`Its own errors: ${errors.map((code) => `\`${code}\``).join(', ')}.\n`);
  return lines.join('\n');
}

function members(title: string, schema: JsonSchema): string[] {
  const entries = Object.entries(schema.properties ?? {});
  if (entries.length === 0) return [];
  const rows = entries.map(([name, member]) => {
    const isOptional = !schema.required?.includes(name);
    return tableRow([`\`${name}${isOptional ? '?' : ''}\``, typeText(member), String(member.description ?? '')]);
  });
  return [tableRow([title, 'Type', '']), tableRow(['---', '---', '---']), ...rows, ''];
}

/** Describes a schema in a few words, such as `array of {claim, evidence?}`. */
function typeText(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${value}\``).join(' ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.type === 'array') return `array of ${schema.items ? typeText(schema.items) : 'anything'}`;
  if (schema.type === 'object') return objectText(schema);
  return [schema.type ?? 'anything', ...rangeText(schema)].join(', ');
}

function objectText({ properties, required }: JsonSchema): string {
  const names = Object.keys(properties ?? {}).map((name) => (required?.includes(name) ? name : `${name}?`));
  return names.length > 0 ? `{${names.join(', ')}}` : 'object';
}

function rangeText({ minimum, maximum, maxLength }: JsonSchema): string[] {
  const isBounded = typeof minimum === 'number' && typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
  return [
    ...(isBounded ? [`${minimum} to ${maximum}`] : []),
    ...(typeof maxLength === 'number' ? [`at most ${maxLength} characters`] : []),
  ];
}

const errorTable = (): string[] => [
  tableRow(['Code', 'HTTP', 'JSON-RPC', 'What to do']),
  tableRow(['---', '---', '---', '---']),
  ...Object.entries(ERROR_KINDS).map(([code, { status, hint, ...kind }]) =>
    tableRow([`\`${code}\``, String(status), 'jsonRpc' in kind ? String(kind.jsonRpc) : 'tool result', hint]),
  ),
];
