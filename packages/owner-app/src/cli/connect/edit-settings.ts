import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, patch as patchToml, stringify as stringifyToml } from '@decimalturn/toml-patch';
import {
  applyEdits,
  createScanner,
  modify,
  type ParseError,
  parse as parseJson,
  printParseErrorCode,
} from 'jsonc-parser';

export type Members = Readonly<Record<string, unknown>>;

/** Format of a settings file. In the format `json`, comments and trailing commas are allowed. */
export type SettingsFormat = 'json' | 'toml';

/**
 * Thrown if a settings file cannot be edited. The message is the rest of a sentence that begins with the file's path.
 */
export class EditFault extends Error {
  override readonly name = 'EditFault';
}

/**
 * Changes members of a settings file. Comments, the order of members, line endings and a byte order mark stay.
 *
 * @throws EditFault if the text cannot be parsed, or if its members have an unexpected shape
 */
export function editSettings(
  format: SettingsFormat,
  text: string | undefined,
  edit: (file: Members) => Members,
): string {
  const mark = text?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const given = (text ?? '').slice(mark.length);
  return mark + refusingDepth(() => edited(format, given, edit));
}

function edited(format: SettingsFormat, given: string, edit: (file: Members) => Members): string {
  const before = parseSettings(format, given);
  const after = edit(before);
  const text = given.trim() === '' ? freshText(format, after) : WRITERS[format](given, before, after);
  if (!isDeepStrictEqual(plain(parseSettings(format, text)), plain(after)))
    throw new EditFault('cannot be edited without changing its other settings');
  return text;
}

/** The parser of TOML and the comparison call themselves for each level, until the stack is full. */
function refusingDepth<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof RangeError ? new EditFault(TOO_DEEP) : error;
  }
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Converts a value to plain objects. The JSON parser and the TOML parser can create objects with other prototypes, and
 * `isDeepStrictEqual` considers such objects unequal.
 */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value, withBigInts));
const withBigInts = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);

export function parseSettings(format: SettingsFormat, text: string): Members {
  return recordOf(format === 'json' ? parsedJson(text) : parsedToml(text), 'the file');
}

function parsedJson(text: string): unknown {
  if (text.trim() === '') return {};
  refuseDepth(text);
  const errors: ParseError[] = [];
  const value: unknown = parseJson(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (!first) return value;
  const line = text.slice(0, first.offset).split('\n').length;
  throw new EditFault(`is not valid JSON: ${printParseErrorCode(first.error)} in line ${line}`);
}

/** The deepest objects and lists of a settings file in JSON. The parser and the editor call themselves for each level. */
const MOST_DEPTH = 200;

function refuseDepth(text: string): void {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== END; token = scanner.scan()) {
    if (OPENING.includes(token)) depth += 1;
    else if (CLOSING.includes(token)) depth -= 1;
    if (depth > MOST_DEPTH) throw new EditFault(TOO_DEEP);
  }
}

const TOO_DEEP = 'is nested too deeply';
// The kinds of tokens of jsonc-parser, whose enumeration cannot be imported.
const OPENING: readonly number[] = [1, 3];
const CLOSING: readonly number[] = [2, 4];
const END = 17;

function parsedToml(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const [place = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw new EditFault(`is not valid TOML: ${place.replace(/:$/, '')}`);
  }
}

const freshText = (format: SettingsFormat, members: Members): string =>
  format === 'json' ? `${JSON.stringify(members, null, 2)}\n` : `${tomlTables(members)}\n`;

const WRITERS: Readonly<Record<SettingsFormat, (text: string, before: Members, after: Members) => string>> = {
  json: (text, before, after) => writeJson(text, { path: [], before, after }),
  toml: writeToml,
};

interface Change {
  readonly path: readonly (string | number)[];
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Replaces only the values that differ, so that comments beside other values stay. The JSON parser sets the prototype of an
 * object with a member `__proto__`; such an object is replaced whole.
 */
function writeJson(text: string, { path, before, after }: Change): string {
  if (isDeepStrictEqual(before, after)) return text;
  const isWhole = Array.isArray(after) && Array.isArray(before) && isReplaced(before, after);
  if (isWhole || !isNode(before) || !isNode(after) || Object.getPrototypeOf(before) !== Object.getPrototypeOf(after))
    return applyEdits(text, modify(text, [...path], after, { formattingOptions: formatOf(text) }));
  const isList = Array.isArray(after);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.reduce((edited, name) => {
    const part = isList ? Number(name) : name;
    const change = { path: [...path, part], before: Reflect.get(before, name), after: Reflect.get(after, name) };
    return writeJson(edited, change);
  }, text);
}

/** A list with more changed items is replaced whole, because each change of an item parses the file again. */
const MOST_CHANGES = 20;

/** Whether a list is replaced whole. So is one that loses items: the editor leaves no valid JSON when it removes several. */
const isReplaced = (before: readonly unknown[], after: readonly unknown[]): boolean =>
  after.length < before.length ||
  after.filter((item, index) => !isDeepStrictEqual(item, before[index])).length > MOST_CHANGES;

const isNode = (value: unknown): value is object => typeof value === 'object' && value !== null;

function formatOf(text: string) {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: lineEndOf(text),
  };
}

const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/**
 * Changes a TOML text. If `after` only adds tables and the result is valid TOML, appends the tables to the text.
 * Otherwise `patchToml` changes the text.
 */
function writeToml(text: string, before: Members, after: Members): string {
  const end = lineEndOf(text);
  const added = newTables(before, after);
  if (added !== undefined) {
    const appended = `${text.trimEnd()}${end}${end}${tomlTables(added).replaceAll('\n', end)}${end}`;
    if (canBeRead(appended)) return appended;
  }
  return patchToml(text, after);
}

/**
 * The tables that only `after` contains, if they all belong to one group such as `mcp_servers`. Undefined if anything
 * else differs.
 */
function newTables(before: Members, after: Members): Members | undefined {
  const changed = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const [group] = changed;
  if (changed.length !== 1 || group === undefined) return undefined;
  const [was, is] = [recordOf(before[group], group), recordOf(after[group], group)];
  const kept = Object.keys(was).every((name) => isDeepStrictEqual(was[name], is[name]));
  if (!kept) return undefined;
  return { [group]: Object.fromEntries(Object.entries(is).filter(([name]) => !(name in was))) };
}

function canBeRead(text: string): boolean {
  try {
    parseToml(text);
    return true;
  } catch {
    return false;
  }
}

/** Formats `{ group: { name: { key: value } } }` as a table `[group.name]` with one line for each key. */
function tomlTables(members: Members): string {
  return Object.entries(members)
    .flatMap(([group, tables]) =>
      Object.entries(recordOf(tables, group)).map(
        ([name, table]) => `[${group}.${name}]\n${stringifyToml(recordOf(table, name)).trimEnd()}`,
      ),
    )
    .join('\n\n');
}

/**
 * Returns a copy of an object, and `{}` for undefined.
 *
 * @throws EditFault for any other value
 */
export function recordOf(value: unknown, what: string): Members {
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new EditFault(`has an unexpected form: ${what} is not an object`);
}

/**
 * Returns a list unchanged, and `[]` for undefined.
 *
 * @throws EditFault for any other value
 */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new EditFault(`has an unexpected form: ${what} is not a list`);
}
