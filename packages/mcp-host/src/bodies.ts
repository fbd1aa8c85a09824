import { type HostPort, ParleyError } from '@parley/core';
import { type Id, isId, type Message, readMessage } from './messages.ts';

/** Position of a value in a JSON text. `to` is the index after its last character. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface MemberRange extends TextRange {
  readonly name: string;
}

/**
 * Finds the members of the object that begins at a position. Their values are not parsed, so a text may be cut off or
 * invalid.
 *
 * @returns the complete members, in order; none if no object begins there
 */
export function membersOf(text: string, from = 0): MemberRange[] {
  const members: MemberRange[] = [];
  let at = skipSpace(text, from);
  if (text[at] !== '{') return members;
  do {
    const name = valueAt(text, at + 1);
    const colon = name ? skipSpace(text, name.to) : -1;
    const value = text[colon] === ':' ? valueAt(text, colon + 1) : undefined;
    if (!name || !value || text[name.from] !== '"') return members;
    members.push({ name: nameAt(text, name), ...value });
    at = skipSpace(text, value.to);
  } while (text[at] === ',');
  return members;
}

/**
 * Finds the elements of a text that is a JSON array.
 *
 * @returns undefined for a text that is not an array
 */
export function elementsOf(text: string): TextRange[] | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== '[') return undefined;
  const elements: TextRange[] = [];
  do {
    const element = valueAt(text, at + 1);
    if (!element) return elements;
    elements.push(element);
    at = skipSpace(text, element.to);
  } while (text[at] === ',');
  return elements;
}

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /[^\s,:[\]{}"]+(?=[\s,\]}])/y;

const skipSpace = (text: string, from: number): number => endOf(SPACE, text, from) ?? from;

/** Returns the position of the next value, or undefined if there is no complete value. */
function valueAt(text: string, after: number): TextRange | undefined {
  const from = skipSpace(text, after);
  const to = endOfValue(text, from);
  return to === undefined ? undefined : { from, to };
}

function endOfValue(text: string, from: number): number | undefined {
  switch (text[from]) {
    case '{':
    case '[':
      return endOfNested(text, from);
    case '"':
      return endOfString(text, from);
    default:
      return endOf(SCALAR, text, from);
  }
}

function endOfString(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text[first - 1] === '\\') first -= 1;
    if ((at - first) % 2 === 0) return at + 1;
  }
  return undefined;
}

function endOfNested(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    switch (text[at]) {
      case '{':
      case '[':
        depth += 1;
        break;
      case '}':
      case ']':
        depth -= 1;
        if (depth === 0) return at + 1;
        break;
      case '"':
        at = (endOfString(text, at) ?? text.length) - 1;
        break;
    }
  }
  return undefined;
}

function endOf(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function nameAt(text: string, { from, to }: TextRange): string {
  try {
    return String(JSON.parse(text.slice(from, to)));
  } catch {
    return '';
  }
}

/**
 * The content of a body: one message, or a batch. The messages of a batch are parsed one by one, each immediately
 * before it is run.
 */
export type Body = { readonly message: Message } | Batch;

export interface Batch {
  readonly count: number;
  readonly bytes: number;
  readonly messages: Iterable<Message>;
}

type Parser = Pick<HostPort, 'parseJson'>;

/**
 * Parses a body. If one message of a batch is invalid, the others are still answered. A message in which only the tool
 * arguments are invalid becomes a failing tool call; any other invalid message becomes a malformed message.
 *
 * @throws ParleyError INVALID_JSON for a body that is not JSON
 */
export function readBody(parser: Parser, text: string): Body {
  const whole = tryToParse(parser, text);
  const bytes = Buffer.byteLength(text);
  if (!whole.fault) {
    const { value } = whole;
    return Array.isArray(value) ? { ...batchOf(value, readMessage), bytes } : { message: readMessage(value) };
  }
  if (!isJson(text)) throw whole.fault;
  const read = (part: string): Message => readApart(parser, part);
  const elements = elementsOf(text)?.map((range) => textAt(text, range));
  return elements ? { ...batchOf(elements, read), bytes } : { message: read(text) };
}

const batchOf = <T>(elements: readonly T[], read: (element: T) => Message): Omit<Batch, 'bytes'> => ({
  count: elements.length,
  messages: lazily(elements, read),
});

function* lazily<T>(elements: readonly T[], read: (element: T) => Message): Iterable<Message> {
  for (const element of elements) yield read(element);
}

/**
 * Parses one message. If only its tool arguments are invalid, the arguments are kept as text, so that only this tool
 * call fails.
 */
function readApart(parser: Parser, text: string): Message {
  const whole = tryToParse(parser, text);
  if (!whole.fault) return readMessage(whole.value);
  const range = rangeOfArguments(text);
  if (!range) return refused(text, whole.fault);
  const around = tryToParse(parser, `${text.slice(0, range.from)}{}${text.slice(range.to)}`);
  if (around.fault) return refused(text, around.fault);
  const message = readMessage(around.value);
  const isToolCall = 'method' in message && message.method === 'tools/call';
  return isToolCall ? { ...message, argumentsText: textAt(text, range) } : refused(text, whole.fault);
}

const refused = (text: string, fault: ParleyError): Message => ({
  kind: 'malformed',
  id: readId(text),
  fault: fault.message,
  data: fault.body(),
});

/**
 * Reads the id of a request from its text, even if the text is cut off or partly invalid.
 *
 * @returns null if there is no id, or more than one
 */
export function readId(text: string): Id {
  const range = memberNamed('id', membersOf(text));
  const value = range && parsed(textAt(text, range));
  return isId(value) ? value : null;
}

function rangeOfArguments(text: string): TextRange | undefined {
  const params = memberNamed('params', membersOf(text));
  return params && memberNamed('arguments', membersOf(text, params.from));
}

/** Returns the member with this name, or undefined if there is not exactly one. */
function memberNamed(name: string, members: readonly MemberRange[]): MemberRange | undefined {
  const [member, ...others] = members.filter((candidate) => candidate.name === name);
  return others.length === 0 ? member : undefined;
}

const textAt = (text: string, { from, to }: TextRange): string => text.slice(from, to);

type Parsed = { readonly value: unknown; readonly fault?: never } | { readonly fault: ParleyError };

function tryToParse(parser: Parser, text: string): Parsed {
  try {
    return { value: parser.parseJson(text) };
  } catch (thrown) {
    if (thrown instanceof ParleyError) return { fault: thrown };
    throw thrown;
  }
}

const isJson = (text: string): boolean => parsed(text) !== undefined;

/** Returns the value of a JSON text, or undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
