import { isRecord } from '@parley/core/json';
import { apiDiff, type Diff } from 'api-smart-diff';
import { parse } from 'yaml';
import { readRegularFile } from '../../server/access/owner-key.ts';
import { type Json, readAs } from '../../text/read-as.ts';
import { jsonText, visibleLine } from '../../text/visible.ts';
import { CliOutcome, EXIT, wrongUsage } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { withinTime } from '../within-time.ts';
import { valueAt } from './export/source.ts';
import { contractFrom, exportsOf, type SourceFlags } from './export.ts';

export interface DiffFlags extends SourceFlags {
  readonly against?: string | undefined;
  readonly role?: 'agent_a' | 'agent_b' | undefined;
  readonly json?: boolean | undefined;
}

/** What differs at one place. */
interface Finding {
  readonly breaking: boolean;
  /** `POST /v1/entries`, as the contract has it. */
  readonly operation: string;
  readonly interface: string;
  readonly what: string;
  /** The decisions that the texts of the interface cite; those of the contract if they cite none. */
  readonly decisions: readonly string[];
}

/** Compares what the provider publishes with what was agreed. */
export async function diffContract(terminal: Terminal, flags: DiffFlags): Promise<void> {
  if (flags.against === undefined)
    throw wrongUsage('Name the OpenAPI document that the provider publishes with --against FILE.');
  const { files } = exportsOf(await contractFrom(terminal, flags));
  const agreed = agreedIn(files, flags.role);
  const published = await publishedIn(flags.against);
  const findings = compare(agreed, published, flags.against);
  const breaking = findings.filter((one) => one.breaking);
  if (flags.json) terminal.out(jsonText({ ok: breaking.length === 0, findings }));
  else {
    for (const one of findings) terminal.out(lineOf(one, terminal));
    if (findings.length === 0) terminal.out('Nothing differs from what was agreed.');
  }
  if (breaking.length > 0) throw new CliOutcome(EXIT.MISMATCH);
}

function lineOf({ breaking, operation, interface: id, what, decisions }: Finding, { paint }: Terminal): string {
  const word = breaking ? paint('red', 'BREAKING') : paint('yellow', 'differs ');
  const decided = decisions.length > 0 ? ` (decided: ${decisions.join(', ')})` : '';
  return `${word}  ${visibleLine(`${id}: ${operation}: ${what}${decided}`)}`;
}

function agreedIn(files: ReadonlyMap<string, Json | boolean>, role: DiffFlags['role']): Json {
  const sides = (['agent_a', 'agent_b'] as const).filter((side) => files.has(`openapi.${side}.json`));
  const [only, ...others] = role === undefined ? sides : sides.filter((side) => side === role);
  if (only !== undefined && others.length === 0) return Object(files.get(`openapi.${only}.json`));
  throw wrongUsage(
    only === undefined
      ? `The contract has no HTTP interface${role === undefined ? '' : ` that ${role} provides`} which can be compared.`
      : 'Both sides provide HTTP interfaces. Say with --role agent_a or --role agent_b whose document it is.',
  );
}

async function publishedIn(path: string): Promise<Json> {
  const refuse = (reason: string): never => {
    throw wrongUsage(`${visibleLine(path)} ${visibleLine(reason)}`);
  };
  const text = (await readRegularFile(path)) ?? refuse('does not exist.');
  let value: unknown;
  try {
    // JSON is YAML too. More aliases than these are refused: they can stand for a document without an end.
    value = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    refuse(`is neither JSON nor YAML: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
  }
  if (!isRecord(value) || !/^3\.[01]\./.test(String(value.openapi)))
    return refuse('is no document of OpenAPI 3.0 or 3.1.');
  const lost = lostReference(value);
  return lost === undefined
    ? value
    : refuse(`has the $ref ${JSON.stringify(lost)}, which leads to nothing in it. Bundle it into one document first.`);
}

/**
 * A reference that leads to no value of the document, or only to further references. No file and no address is read, and
 * the comparison takes what it cannot resolve for no difference.
 */
function lostReference(document: Json): string | undefined {
  const seen = new Set<unknown>();
  const open: unknown[] = [document];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    const reference = isRecord(node) ? node.$ref : undefined;
    if (typeof reference === 'string' && !leadsInside(document, reference)) return reference;
    open.push(...Object.values(node));
  }
  return undefined;
}

function leadsInside(document: Json, reference: string): boolean {
  const followed = new Set<string>();
  let at: unknown = { $ref: reference };
  while (isRecord(at) && typeof at.$ref === 'string') {
    if (followed.has(at.$ref) || !at.$ref.startsWith('#/')) return false;
    followed.add(at.$ref);
    at = valueAt(document, at.$ref);
  }
  return at !== undefined;
}

function compare(agreed: Json, published: Json, path: string): Finding[] {
  const { paths } = readAs(agreed, { paths: 'record' });
  const all = readAs(agreed['x-parley'], { decisions: 'texts' }).decisions;
  const known = withSuccesses(agreed, published);
  const refuse = (reason: string): never => {
    throw wrongUsage(`${visibleLine(path)} cannot be compared: ${reason}`);
  };
  const tooMuch = 'it takes too long. Shorten lists of alternatives (oneOf, anyOf), and leave out what was not agreed.';
  const diffs = withinTime(
    (): Diff[] => {
      try {
        return apiDiff(known, published);
      } catch {
        return refuse('it is not valid OpenAPI.');
      }
    },
    () => refuse(tooMuch),
  );
  return diffs.flatMap((diff) => {
    const [top, route, method] = diff.path.map(String);
    const operation = readAs(readAs(paths[route ?? ''], { [method ?? '']: 'record' })[method ?? ''], {
      summary: 'text',
      'x-parley': 'record',
    });
    const back = readAs(operation['x-parley'], { interface: 'text', decisions: 'texts' });
    const isOf = top === 'paths' && back.interface !== '' && !diff.path.includes('x-parley');
    if (!isOf || (diff.type !== 'breaking' && diff.type !== 'non-breaking') || isUnsaid(known, diff)) return [];
    return [
      {
        breaking: diff.type === 'breaking',
        operation: operation.summary,
        interface: back.interface,
        what: whatOf(diff),
        decisions: back.decisions.length > 0 ? back.decisions : all,
      },
    ];
  });
}

/** The words of the library, which for a whole content names the wrong place; then the place. */
const whatOf = ({ description, action, path }: Diff): string =>
  description && path.at(-1) !== 'content' ? description : `[${action}] ${path.slice(3).join('/')}`;

/** The agreed document with the successes that the provider publishes, where the contract names none. */
function withSuccesses(agreed: Json, published: Json): Json {
  const copy = structuredClone(agreed);
  for (const [route, item] of Object.entries(Object(copy.paths)))
    for (const [method, operation] of Object.entries(Object(item))) {
      const { responses } = Object(operation);
      if (responses?.['2XX'] === undefined) continue;
      const other = Object(Object(Object(Object(published.paths)[route])[method]).responses);
      const named = Object.keys(other).filter((status) => /^2\d\d$/.test(status));
      for (const status of named) responses[status] = responses['2XX'];
      if (named.length > 0) delete responses['2XX'];
    }
  return copy;
}

/** Keywords that allow every value. */
const SILENT = ['description', 'examples', 'title'];

/** Whether the contract says nothing at a place: what the provider adds to a schema that allows everything is no difference. */
function isUnsaid(document: Json, { action, path }: Diff): boolean {
  if (action !== 'add') return false;
  // A contract does not say whether a parameter or a body can be left out.
  if (path.at(-1) === 'required' && !path.includes('schema')) return true;
  let at: unknown = document;
  let before: unknown;
  for (const name of path.slice(0, -1)) {
    before = name;
    at = resolved(document, Object(at)[name]);
  }
  const isSchema = path.some((name) => name === 'schema') && before !== 'properties' && isRecord(at);
  return isSchema && Object.keys(Object(at)).every((name) => SILENT.includes(name));
}

function resolved(document: Json, node: unknown): unknown {
  const [, id] = /^#\/components\/schemas\/(.+)$/.exec(String(Object(node).$ref)) ?? [];
  return id === undefined ? node : Object(Object(document.components).schemas)[id];
}
