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
