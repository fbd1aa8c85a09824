import { fail } from '../../kernel/errors.ts';
import type { Domain, InputWarning } from '../../kernel/operation/operation.ts';
import { withMember } from '../../kernel/text/safe-echo.ts';
import type { SessionState } from '../state.ts';
import { type Certainty, type CredentialPattern, type Found, isPlaceholder, looksRandom } from './pattern.ts';
import { CREDENTIAL_PATTERNS } from './patterns.ts';

/** A literal text with which matches of a pattern begin, and the index `row` of that pattern. */
interface Start {
  readonly literal: string;
  readonly row: number;
}

/** A table of literal texts by their first two characters. */
interface Pairs {
  /** For each pair of characters, the index of a list in `lists`. 0 if no literal begins with the pair. */
  readonly listOfPair: Uint16Array;
  readonly lists: readonly (readonly Start[])[];
}

/** The literals of all patterns, in one table for each value of `at`. Literals of `name` are compared in lower case. */
type StartTable = Readonly<Record<CredentialPattern['at'], Pairs>> & {
  /**
   * By the low bits of three adjacent characters: 0 if no literal begins with these characters. Most places in a text
   * have the value 0 and are skipped.
   */
  readonly mayStart: Uint8Array;
};

const ASCII = 128;

const FOLDED = Uint8Array.from({ length: ASCII }, (_, code) => String.fromCharCode(code).toLowerCase().charCodeAt(0));

const asciiCode = (text: string, index: number): number => {
  const code = text.charCodeAt(index);
  return code < ASCII ? code : 0;
};
const foldedCode = (text: string, index: number): number => FOLDED[asciiCode(text, index)] ?? 0;

function tableOf(patterns: readonly CredentialPattern[]): StartTable {
  const [word, anywhere, name] = [pairsOf(patterns, 'word'), pairsOf(patterns, 'anywhere'), pairsOf(patterns, 'name')];
  const mayStart = new Uint8Array(TRIPLE + 1);
  for (const literal of patterns.flatMap(({ starts }) => starts)) {
    const [first, second, third] = [0, 1, 2].map((index) => literal.charCodeAt(index) & LOW_BITS);
    const pair = ((first ?? 0) << (2 * BITS)) | ((second ?? 0) << BITS);
    if (literal.length > 2) mayStart[pair | (third ?? 0)] = 1;
    else mayStart.fill(1, pair, pair + LOW_BITS + 1);
  }
  return { word, anywhere, name, mayStart };
}

/** Number of low bits by which a character is indexed. A letter has the same low bits in upper and lower case. */
const BITS = 5;
const LOW_BITS = 31;
const TRIPLE = 2 ** (3 * BITS) - 1;

function pairsOf(patterns: readonly CredentialPattern[], where: CredentialPattern['at']): Pairs {
  const listOfPair = new Uint16Array(ASCII * ASCII);
  const lists: Start[][] = [[]];
  for (const [row, { starts, at }] of patterns.entries()) {
    for (const literal of at === where ? starts : []) {
      const pair = asciiCode(literal, 0) * ASCII + asciiCode(literal, 1);
      if (!listOfPair[pair]) listOfPair[pair] = lists.push([]) - 1;
      lists[listOfPair[pair] ?? 0]?.push({ literal, row });
    }
  }
  return { listOfPair, lists };
}

/**
 * Calls `visit` for each place where a pattern may match, from the beginning of the text. Stops when `visit` returns
 * true.
 */
function visitStarts(
  { word, anywhere, name, mayStart }: StartTable,
  text: string,
  visit: (row: number, index: number) => boolean,
): void {
  let triple = ((text.charCodeAt(0) & LOW_BITS) << BITS) | (text.charCodeAt(1) & LOW_BITS);
  // Every credential has at least three characters, so none begins at the last two positions.
  for (let end = 2; end < text.length; end += 1) {
    triple = ((triple << BITS) & TRIPLE) | (text.charCodeAt(end) & LOW_BITS);
    if (mayStart[triple] === 0) continue;
    const index = end - 2;
    const pair = asciiCode(text, index) * ASCII + asciiCode(text, index + 1);
    const words = word.listOfPair[pair];
    if (words && isWordStart(text, index)) {
      for (const start of word.lists[words] ?? []) if (isAt(start, text, index) && visit(start.row, index)) return;
    }
    const others = anywhere.listOfPair[pair];
    if (others) {
      for (const start of anywhere.lists[others] ?? []) if (isAt(start, text, index) && visit(start.row, index)) return;
    }
    const names = name.listOfPair[foldedCode(text, index) * ASCII + foldedCode(text, index + 1)];
    if (names) {
      for (const start of name.lists[names] ?? []) if (isNameAt(start, text, index) && visit(start.row, index)) return;
    }
  }
}

/** Compares from the third character on, because the lookup in the table has compared the first two already. */
function isAt({ literal }: Start, text: string, index: number): boolean {
  for (let offset = 2; offset < literal.length; offset += 1)
    if (text.charCodeAt(index + offset) !== literal.charCodeAt(offset)) return false;
  return true;
}

function isNameAt({ literal }: Start, text: string, index: number): boolean {
  for (let offset = 2; offset < literal.length; offset += 1)
    if (foldedCode(text, index + offset) !== literal.charCodeAt(offset)) return false;
  return true;
}

const IS_ALPHANUMERIC = Uint8Array.from({ length: ASCII }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const ESCAPED_BEFORE = /\\[nrt]$|%[0-9A-Fa-f]{2}$/;

/**
 * Whether a word starts at the index. A character after an escaped line end (`\n`) or after a percent-encoded character
 * (`%20`) starts a word too.
 */
function isWordStart(text: string, index: number): boolean {
  if (index === 0 || IS_ALPHANUMERIC[text.charCodeAt(index - 1)] !== 1) return true;
  const marker = text.charCodeAt(index - 2);
  if (marker !== BACKSLASH && text.charCodeAt(index - 3) !== PERCENT) return false;
  return ESCAPED_BEFORE.test(text.slice(Math.max(0, index - 3), index));
}

const BACKSLASH = 92;
const PERCENT = 37;

export interface Span {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

interface Search {
  readonly patterns: readonly CredentialPattern[];
  readonly table: StartTable;
}

const searchFor = (patterns: readonly CredentialPattern[]): Search => ({ patterns, table: tableOf(patterns) });

const SEARCHES: Readonly<Record<Certainty, Search>> = {
  certain: searchFor(CREDENTIAL_PATTERNS.filter(({ certainty }) => certainty === undefined)),
  likely: searchFor(CREDENTIAL_PATTERNS),
};

const LEAST_CHARS = 10;

/**
 * Finds at most `limit` credentials in a text. If two matches overlap, only the match of the pattern that is earlier in
 * the list is returned.
 * @param certainty the lowest certainty that is reported
 */
function spansIn(text: string, certainty: Certainty, limit: number): readonly Span[] {
  if (text.length < LEAST_CHARS) return [];
  const { patterns, table } = SEARCHES[certainty];
  const found: { row: number; span: Span }[] = [];
  let tried: Int32Array | undefined;
  visitStarts(table, text, (row, index) => {
    const pattern = patterns[row];
    if (!pattern || index < (tried?.[row] ?? 0)) return false;
    const match = matchAt(pattern.pattern, text, index);
    if (!match) return false;
    const end = index + match[0].length;
    tried ??= new Int32Array(patterns.length);
    tried[row] = end;
    if (isReal(pattern, { text, secret: match[1] ?? match[0], start: index, end }, certainty))
      found.push({ row, span: { kind: pattern.kind, start: index, end } });
    return found.length >= 2 * limit;
  });
  return withoutOverlaps(found.toSorted((a, b) => a.row - b.row).map(({ span }) => span)).slice(0, limit);
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  if (!pattern.test(text)) return null; // `test` is far cheaper than `exec` if the pattern does not match.
  pattern.lastIndex = index;
  return pattern.exec(text);
}

function isReal({ isReal: check, samples }: CredentialPattern, found: Found, certainty: Certainty): boolean {
  if (check?.(found, certainty) === false) return false;
  if (samples === 'none') return true;
  return (
    !isPlaceholder(found.secret) && (samples === 'placeholders' || certainty === 'likely' || looksRandom(found.secret))
  );
}

function withoutOverlaps(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans) if (!kept.some(({ start, end }) => start < span.end && span.start < end)) kept.push(span);
  return kept;
}

/**
 * Invisible characters, such as soft hyphens and joiners. A token with such a character inside would match no pattern.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** Matches any character beyond ASCII. A text without a match contains no invisible character. */
const BEYOND_ASCII = /[^\0-\x7f]/;

const visible = (text: string): string => (BEYOND_ASCII.test(text) ? text.replace(INVISIBLE, '') : text);

/** Where a credential was found, and its kind. Does not contain the credential itself. */
export interface FoundCredential {
  /** Path of the text, such as `verified_facts[0].evidence[1].excerpt`. */
  readonly path: string;
  readonly kind: string;
}

const MAX_CREDENTIALS = 20;

/** Separates the texts that are searched together. No pattern matches across this separator. */
const BETWEEN_TEXTS = '\n\u0000\n';

/**
 * Joins the texts and searches them once, so that many short texts take no longer than one long text.
 * @returns at most 20 results, each with the index of a text and the kind of a credential in it
 */
export function findInTexts(texts: readonly string[], certainty: Certainty): { index: number; kind: string }[] {
  const seen = texts.map(visible);
  const spans = spansIn(seen.join(BETWEEN_TEXTS), certainty, MAX_CREDENTIALS);
  const found = spans.toSorted((a, b) => a.start - b.start);
  const distinct: { index: number; kind: string }[] = [];
  let index = 0;
  let end = seen[0]?.length ?? 0;
  for (const { start, kind } of found) {
    while (start >= end + BETWEEN_TEXTS.length) {
      index += 1;
      end += BETWEEN_TEXTS.length + (seen[index]?.length ?? 0);
    }
    if (!distinct.some((other) => other.index === index && other.kind === kind)) distinct.push({ index, kind });
  }
  return distinct;
}

/** The kind of the first credential in a text. Null if the text contains none. */
export const credentialIn = (text: string, certainty: Certainty = 'likely'): string | null =>
  spansIn(visible(text), certainty, 1)[0]?.kind ?? null;

/** Replaces each credential in a text by `[secret]`. */
export function withoutCredentials(text: string): string {
  const shown = visible(text);
  const spans = spansIn(shown, 'likely', Number.POSITIVE_INFINITY);
  if (spans.length === 0) return text;
  const fromEnd = spans.toSorted((a, b) => b.start - a.start);
  return fromEnd.reduce((rest, { start, end }) => `${rest.slice(0, start)}[secret]${rest.slice(end)}`, shown);
}

/**
 * Finds credentials in the texts of a JSON value and in the names of its members.
 * @param certainty the lowest certainty that is reported
 */
export const findCredentials = (value: unknown, certainty: Certainty): FoundCredential[] =>
  findInPlaces(textsIn(value), certainty);

function findInPlaces(placed: readonly PlacedText[], certainty: Certainty): FoundCredential[] {
  if (placed.length === 0) return [];
  const texts = placed.map(({ text }) => text);
  return findInTexts(texts, certainty).map(({ index, kind }) => ({ path: pathText(placed[index]?.place), kind }));
}

/** A place in a JSON value: the name or the index `part`, and the place of the object or array that contains it. */
interface MemberPath {
  readonly part: string | number;
  readonly within: MemberPath | undefined;
}

export interface PlacedText {
  readonly text: string;
  readonly place: MemberPath | undefined;
}

/** Names of members whose values can be secrets although the values alone match no pattern. */
const SECRET_NAME = /pass|pwd|secret|token|key|credential|authorization|cookie/i;

/** The texts of a value and the names of its members, in the order of the document. */
function textsIn(value: unknown): PlacedText[] {
  const texts: PlacedText[] = [];
  const waiting: { value: unknown; place: MemberPath | undefined }[] = [{ value, place: undefined }];
  // A loop instead of recursion, because deep nesting would exhaust the stack.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value: inner, place } = next;
    const name = place?.part;
    if (typeof name === 'string' && name.length >= LEAST_CHARS) texts.push({ text: name, place });
    if (typeof inner === 'string') texts.push({ text: withSecretName(name, inner), place });
    else if (typeof inner === 'object' && inner !== null) pushMembers(inner, place, waiting);
  }
  return texts;
}

/** Pushes the members in reverse order, because `pop` takes the last element first. */
function pushMembers(
  value: object,
  within: MemberPath | undefined,
  waiting: { value: unknown; place: MemberPath | undefined }[],
): void {
  const parts: readonly (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index] ?? 0;
    waiting.push({ value: Reflect.get(value, part), place: { part, within } });
  }
}

const withSecretName = (name: string | number | undefined, text: string): string =>
  typeof name === 'string' && SECRET_NAME.test(name) ? `${name}="${text}` : text;

function pathText(place: MemberPath | undefined): string {
  const parts: (string | number)[] = [];
  for (let at = place; at; at = at.within) parts.unshift(at.part);
  const text = parts.reduce<string>((path, part) => {
    if (typeof part === 'number') return `${path}[${part}]`;
    return withMember(path, credentialIn(part) === null ? part : '[secret]');
  }, '');
  return text || 'input';
}

/**
 * By tool, the input member that is not searched here. The code in `redeem_invitation` is a secret on purpose;
 * contracts are searched when they are validated, attachments when they are decoded.
 */
const JUDGED_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['redeem_invitation', 'code'],
  ['submit_contract', 'contract'],
  ['submit_position', 'contract'],
  ['propose_revision', 'contract'],
  ['patch_contract', 'ops'],
  ['verify_attach', 'content'],
]);

/** Whether the text is an excerpt of evidence, such as `evidence[0].excerpt`. */
const isExcerpt = ({ place }: PlacedText): boolean =>
  place?.part === 'excerpt' && place.within?.within?.part === 'evidence';

/**
 * Refuses an input that contains a credential.
 * @param at the path of the value, if it is a list in the input
 * @throws ParleyError CREDENTIAL_REJECTED, which names the members and the kinds of credentials but not their text
 */
export function refuseCredentials(input: unknown, certainty: Certainty, at = ''): void {
  refuse(findCredentials(input, certainty).map(({ path, kind }) => ({ path: `${at}${path}`, kind })));
}

/**
 * Domain 9.4. Searches the input of an agent for credentials before `decide`. Refuses an excerpt of evidence with a
 * match of any certainty, and any other text with a match that is `certain`. If the session's policy is `warn`, only
 * excerpts are refused: any other text is stored, and the answer contains a warning.
 */
export const inspectInput: Domain<SessionState>['inspectInput'] = ({ profile }, { operation, input, idempotency }) => {
  const judged = JUDGED_ELSEWHERE.get(operation.name);
  const said = textsIn(judged === undefined ? input : { ...Object(input), [judged]: undefined });
  if (idempotency) said.push({ text: idempotency.key, place: { part: 'request_id', within: undefined } });
  refuse(findInPlaces(said.filter(isExcerpt), 'likely'));
  const rest = said.filter((text) => !isExcerpt(text));
  const found = withoutRepeats(findInPlaces(rest, 'certain'));
  if (profile.secret_policy === 'refuse') refuse(found);
  return found.map(warningOf);
};

/**
 * Removes repeated results. An idempotency key that was sent as a member of the input is searched twice: as the key,
 * and as this member.
 */
const withoutRepeats = (found: readonly FoundCredential[]): FoundCredential[] =>
  found.filter(
    ({ path, kind }, index) => found.findIndex((other) => other.path === path && other.kind === kind) === index,
  );

const warningOf = ({ path, kind }: FoundCredential): InputWarning => ({ path, rule: kind });

function refuse(found: readonly FoundCredential[]): void {
  const [first] = found;
  if (!first) return;
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
  fail('CREDENTIAL_REJECTED', `${first.path} contains what looks like a credential: ${first.kind}${more}.`, {
    issues: found.map(warningOf),
  });
}
