import { withMember } from '../../kernel/shown-name.ts';
import { LEAST_CHARS, spansIn } from './find-in-text.ts';
import { visible } from './invisible.ts';
import type { Certainty } from './pattern.ts';

/** Where a credential stands, and which kind it is; never the text itself. */
export interface CredentialFinding {
  /** `verified_facts[0].evidence[1].excerpt` */
  readonly path: string;
  readonly kind: string;
}

/** More are not listed. */
const MAX_FINDINGS = 20;

/** Stands in no text that is let in, and no pattern reaches across it. */
const BETWEEN_TEXTS = '\n\u0000\n';

/**
 * The credentials in several texts. They are searched as one text: many short ones cost no more than a long one.
 *
 * @returns at most 20, each with the index of its text
 */
export function findInTexts(texts: readonly string[], certainty: Certainty): { index: number; kind: string }[] {
  const seen = texts.map(visible);
  const spans = spansIn(seen.join(BETWEEN_TEXTS), certainty, MAX_FINDINGS);
  const found = spans.toSorted((a, b) => a.start - b.start);
  const findings: { index: number; kind: string }[] = [];
  let index = 0;
  let end = seen[0]?.length ?? 0;
  for (const { start, kind } of found) {
    while (start >= end + BETWEEN_TEXTS.length) {
      index += 1;
      end += BETWEEN_TEXTS.length + (seen[index]?.length ?? 0);
    }
    if (!findings.some((other) => other.index === index && other.kind === kind)) findings.push({ index, kind });
  }
  return findings;
}

/** The kind of the first credential in a text; null for none. */
export const credentialIn = (text: string, certainty: Certainty = 'likely'): string | null =>
  spansIn(visible(text), certainty, 1)[0]?.kind ?? null;

/** The text without the credentials in it. */
export function withoutCredentials(text: string): string {
  const shown = visible(text);
  const spans = spansIn(shown, 'likely', Number.POSITIVE_INFINITY);
  if (spans.length === 0) return text;
  const fromEnd = spans.toSorted((a, b) => b.start - a.start);
  return fromEnd.reduce((rest, { start, end }) => `${rest.slice(0, start)}[secret]${rest.slice(end)}`, shown);
}

/**
 * The credentials in any JSON value, names of members included.
 *
 * @param certainty the least certainty that counts
 * @param isSearched which texts count, by the names and indexes that lead to them; all when left out
 */
export function findCredentials(
  value: unknown,
  certainty: Certainty,
  isSearched: (path: Path) => boolean = () => true,
): CredentialFinding[] {
  const placed = textsIn(value).filter(({ path }) => isSearched(path));
  const texts = placed.map(({ text }) => text);
  return findInTexts(texts, certainty).map(({ index, kind }) => ({ path: pathText(placed[index]?.path ?? []), kind }));
}

export type Path = readonly (string | number)[];

interface Placed {
  readonly text: string;
  readonly path: Path;
}

/** Names after which a value that means nothing by itself is a secret. */
const SECRET_NAME = /pass|pwd|secret|token|key|credential|authorization|cookie/i;

/** In the order of the document. */
function textsIn(value: unknown): Placed[] {
  const texts: Placed[] = [];
  const waiting: { value: unknown; path: Path }[] = [{ value, path: [] }];
  // Not recursive: a value may be nested deeply.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path } = next;
    const name = path.at(-1);
    if (typeof name === 'string' && name.length >= LEAST_CHARS) texts.push({ text: name, path });
    if (typeof next.value === 'string') texts.push({ text: withSecretName(name, next.value), path });
    else
      for (const [part, inner] of membersOf(next.value).reverse())
        waiting.push({ value: inner, path: [...path, part] });
  }
  return texts;
}

const withSecretName = (name: string | number | undefined, text: string): string =>
  typeof name === 'string' && SECRET_NAME.test(name) ? `${name}="${text}` : text;

function membersOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

const pathText = (path: Path): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return withMember(text, credentialIn(part) === null ? part : '[secret]');
  }, '') || 'input';
