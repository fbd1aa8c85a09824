import type { Certainty, CredentialPattern, Found } from './pattern.ts';
import { CREDENTIAL_PATTERNS } from './pattern-list.ts';
import { isPlaceholder, looksRandom } from './placeholders.ts';
import { type StartTable, tableOf, visitStarts } from './starts.ts';

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
  certain: searchFor(CREDENTIAL_PATTERNS.filter(({ certainty }) => certainty === 'certain')),
  likely: searchFor(CREDENTIAL_PATTERNS),
};

export const LEAST_CHARS = 10;

/**
 * Finds at most `limit` credentials in a text. If two matches overlap, only the match of the pattern that is earlier in
 * the list is returned.
 * @param certainty the lowest certainty that is reported
 */
export function spansIn(text: string, certainty: Certainty, limit: number): readonly Span[] {
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
