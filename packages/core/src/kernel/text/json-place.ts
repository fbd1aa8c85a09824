/** Finds where a text stops being JSON. `JSON.parse` names the place in some of its errors only, in words that change. */
import { countCharacters } from './characters.ts';

const SPACE = /[ \t\n\r]*/y;
const CHARS = String.raw`(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*`;
const STRING_START = new RegExp(`"${CHARS}`, 'y');
const TOKEN = new RegExp(
  String.raw`[ \t\n\r]*(?:([{}[\],:])|("${CHARS}")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))`,
  'y',
);

/** The tokens that may begin a value and a member: marks, `s` for a string and `v` for any other plain value. */
const VALUE = '{[sv';
const NAME = 's';

/**
 * Returns the place at which a text that is not JSON goes wrong, such as `line 2, column 5`; undefined if the text ends too
 * early. The time is linear in the length of the text.
 */
export function placeOfFault(text: string): string | undefined {
  const open: string[] = [];
  let allowed = VALUE;
  for (let at = 0; ; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [token, mark, string] = TOKEN.exec(text) ?? [];
    const kind = mark ?? (string === undefined ? 'v' : 's');
    const begin = token === undefined || !allowed.includes(kind) ? skip(SPACE, text, at) : undefined;
    if (begin !== undefined) return placeAt(text, token === undefined ? skip(STRING_START, text, begin) : begin);
    allowed = following(kind, allowed, open);
  }
}

/** Updates the list of open objects and arrays, and returns the tokens that may follow a token. */
function following(kind: string, allowed: string, open: string[]): string {
  if (kind === ':') return VALUE;
  if (kind === ',') return open.at(-1) === '{' ? NAME : VALUE;
  if (kind === 's' && allowed.startsWith(NAME)) return ':';
  if (kind === '{' || kind === '[') {
    open.push(kind);
    return kind === '{' ? `${NAME}}` : `${VALUE}]`;
  }
  if (kind === '}' || kind === ']') open.pop();
  const around = open.at(-1);
  if (around === undefined) return '';
  return around === '{' ? ',}' : ',]';
}

/** Where a match that begins at `from` ends; `from` if there is none. */
function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

function placeAt(text: string, at: number): string | undefined {
  if (at === text.length) return undefined;
  const lines = text.slice(0, at).split('\n');
  return `line ${lines.length}, column ${countCharacters(lines.at(-1) ?? '') + 1}`;
}
