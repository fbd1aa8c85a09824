import { withMember } from '../../kernel/text/safe-echo.ts';
import { LEAST_CHARS, spansIn } from './find-in-text.ts';
import { visible } from './invisible.ts';
import type { Certainty } from './pattern.ts';

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

export function findInPlaces(placed: readonly PlacedText[], certainty: Certainty): FoundCredential[] {
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
export function textsIn(value: unknown): PlacedText[] {
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
