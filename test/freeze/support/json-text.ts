/** Parsed JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Values whose JSON has at most this many characters stand on one line. */
const LINE_CHARS = 110;
/** A value whose JSON has at least this many characters is written once, and referred to afterwards. */
const SHARED_CHARS = 200;
/** Member of an object that stands for the value at an earlier place. */
const SAME = '=';
/** Member beside `SAME`: the object stands for that many items of a list, of which the place is the first. */
const COUNT = 'items';
/** Member of an object that stands for a text of several lines. */
const LINES = '¶';

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
export const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !isList(value);

/**
 * Writes JSON so that a person can read a comparison of two versions line by line: short values on one line, a text
 * line by line, a long value only where it occurs first. `readText` reads it.
 */
export function writeText(value: Json): string {
  const places = new Map<string, string>();
  const texts: Texts = new Map();
  const write = (part: Json, place: string, indent: string): string => {
    const plain = JSON.stringify(part);
    if (plain.length >= SHARED_CHARS) {
      const first = places.get(plain);
      if (first !== undefined) return JSON.stringify({ [SAME]: first });
      places.set(plain, place);
    }
    if (typeof part === 'string' && plain.length > LINE_CHARS && part.includes('\n')) {
      const lines = sharedRuns(part.split('\n'), place, texts).map((line) => `${indent}  ${JSON.stringify(line)}`);
      return `{\n${indent} ${JSON.stringify(LINES)}: [\n${lines.join(',\n')}\n${indent} ]\n${indent}}`;
    }
    if (plain.length <= LINE_CHARS || (!isList(part) && !isObject(part))) return plain;
    const inner = `${indent} `;
    if (isList(part)) {
      const items = part.map((item, index) => write(item, `${place}/${index}`, inner));
      return `[\n${joinedRuns(items)
        .map((item) => inner + item)
        .join(',\n')}\n${indent}]`;
    }
    const members = Object.entries(part).map(
      ([name, member]) => `${inner}${JSON.stringify(name)}: ${write(member, `${place}/${escaped(name)}`, inner)}`,
    );
    return `{\n${members.join(',\n')}\n${indent}}`;
  };
  return `${write(value, '', '')}\n`;
}

/** Lines of a text are shared with an earlier text if at least this many of them follow each other in both. */
const RUN_LINES = 4;

/** Where runs of lines stood first: the place of the text, its lines, and the number of the first of them. */
type Texts = Map<string, { readonly place: string; readonly lines: readonly string[]; readonly from: number }>;

const runAt = (lines: readonly string[], from: number): string => lines.slice(from, from + RUN_LINES).join('\n');

/** Replaces runs of lines that stand in an earlier text by a reference to it, and remembers the others. */
function sharedRuns(lines: readonly string[], place: string, texts: Texts): Json[] {
  const written: Json[] = [];
  const fresh: number[] = [];
  for (let at = 0; at < lines.length; ) {
    const first = at + RUN_LINES <= lines.length ? texts.get(runAt(lines, at)) : undefined;
    if (!first) {
      written.push(lines[at] ?? '');
      fresh.push(at);
      at += 1;
      continue;
    }
    let count = RUN_LINES;
    while (at + count < lines.length && lines[at + count] === first.lines[first.from + count]) count += 1;
    written.push({ [SAME]: `${first.place}/${first.from}`, [COUNT]: count });
    at += count;
  }
  for (const from of fresh) if (from + RUN_LINES <= lines.length) texts.set(runAt(lines, from), { place, lines, from });
  return written;
}

const REFERENCE = /^\{"=":"(.*)\/(\d+)"\}$/;

/** Writes references to items that follow each other as one. */
function joinedRuns(items: readonly string[]): string[] {
  const joined: string[] = [];
  let run: { readonly list: string; readonly from: number; count: number } | undefined;
  const end = (): void => {
    if (run && run.count > 1)
      joined[joined.length - 1] = JSON.stringify({ [SAME]: `${run.list}/${run.from}`, [COUNT]: run.count });
    run = undefined;
  };
  for (const item of items) {
    const [, list, index] = REFERENCE.exec(item) ?? [];
    const isNext = run && list === run.list && Number(index) === run.from + run.count;
    if (run && isNext) {
      run.count += 1;
      continue;
    }
    end();
    joined.push(item);
    if (list !== undefined) run = { list, from: Number(index), count: 1 };
  }
  end();
  return joined;
}

export function readText(text: string): Json {
  const known = new Map<string, Json>();
  const read = (part: Json, place: string): Json => {
    const whole = expanded(part, place, known, read);
    if (isList(whole) || isObject(whole) || typeof whole === 'string') known.set(place, whole);
    return whole;
  };
  return read(JSON.parse(text), '');
}

type Read = (part: Json, place: string) => Json;

function expanded(part: Json, place: string, known: ReadonlyMap<string, Json>, read: Read): Json {
  if (isList(part)) return itemsOf(part, place, read);
  if (!isObject(part)) return part;
  const { [SAME]: same, [LINES]: lines } = part;
  if (typeof same === 'string') {
    const first = known.get(same);
    if (first === undefined) throw new Error(`The recording refers to ${same}, which does not stand before it.`);
    return first;
  }
  if (lines !== undefined && isList(lines)) return lines.flatMap((line) => linesOf(line, known)).join('\n');
  return Object.fromEntries(
    Object.entries(part).map(([name, item]) => [name, read(item, `${place}/${escaped(name)}`)]),
  );
}

function linesOf(line: Json, known: ReadonlyMap<string, Json>): readonly Json[] {
  if (!isObject(line)) return [line];
  const [, place = '', from = ''] = /^(.*)\/(\d+)$/.exec(String(line[SAME])) ?? [];
  return String(known.get(place))
    .split('\n')
    .slice(Number(from), Number(from) + Number(line[COUNT]));
}

function itemsOf(part: readonly Json[], place: string, read: Read): Json[] {
  const items: Json[] = [];
  for (const item of part) {
    const { [SAME]: first, [COUNT]: count = 1 } = isObject(item) ? item : {};
    const [, list, index] = /^(.*)\/(\d+)$/.exec(String(first)) ?? [];
    const isRun = typeof count === 'number' && count > 1;
    const run = isRun
      ? Array.from({ length: count }, (_, at) => ({ [SAME]: `${list}/${Number(index) + at}` }))
      : [item];
    for (const one of run) items.push(read(one, `${place}/${items.length}`));
  }
  return items;
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The values in a text of JSON, of JSON lines, or of server-sent events with JSON; else the text itself. */
export function parsedLines(text: string): Json {
  const lines = text.trimEnd().split('\n');
  const values = lines.map(lineValue);
  if (values.every((value, index) => value === lines[index])) return text;
  return lines.length === 1 ? (values[0] ?? text) : values;
}

function lineValue(line: string): Json {
  const json = /^(?:data: )?(\{.*\})$/.exec(line)?.[1];
  if (json === undefined) return line;
  try {
    const { event, ...rest } = JSON.parse(json);
    return typeof event === 'string' && event.startsWith('{')
      ? { event: JSON.parse(event), ...rest }
      : JSON.parse(json);
  } catch {
    return line;
  }
}
