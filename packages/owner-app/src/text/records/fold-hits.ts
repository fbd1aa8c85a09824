interface FoldableHit {
  readonly session_id: string;
  readonly record: { readonly type: string; readonly id: string };
  readonly excerpt: string;
  readonly status?: string | undefined;
  readonly superseded_by?: string | undefined;
  /** The searched words that are not in the excerpt. */
  readonly elsewhere?: readonly string[] | undefined;
  readonly marks?: readonly { readonly end: number }[] | undefined;
  /** For a contract: the places that contain the words. */
  readonly places?: readonly { readonly excerpts: readonly string[] }[] | undefined;
}

/** A hit of a search, and the hits that are listed below it. */
export interface FoldedHit<Hit> {
  readonly hit: Hit;
  /** The first hit of each other session that has the same text and status, also at another place of a contract. */
  readonly also: readonly Hit[];
  /** The first hit of each other session that has a similar text of the same kind of record, and the same status. */
  readonly similar: readonly Hit[];
  /** Decisions of the same session which the decision of this hit has superseded. */
  readonly earlier: readonly Hit[];
}

interface OpenFold<Hit> extends FoldedHit<Hit> {
  readonly also: Hit[];
  readonly similar: Hit[];
}

/**
 * Folds equal and similar texts of several sessions into one entry, and superseded decisions into the entry of the
 * decision that superseded them. Puts what was said before texts of contracts. Hits of which some words are only
 * elsewhere in the record follow, then superseded decisions and revisions. Of texts of one kind, those with a whole
 * word come first.
 */
export function foldHits<Hit extends FoldableHit>(hits: readonly Hit[]): FoldedHit<Hit>[] {
  const { current, earlierOf } = withoutEarlier(hits);
  const folds: OpenFold<Hit>[] = [];
  for (const hit of current)
    if (!addToFold(folds, hit)) folds.push({ hit, also: [], similar: [], earlier: earlierOf.get(hit) ?? [] });
  for (const hit of current) if (hit.places) addPlaces(folds, hit);
  return folds.toSorted((one, other) => rankOf(one.hit) - rankOf(other.hit));
}

/** Separates the superseded decisions whose superseding decision is a hit too. */
function withoutEarlier<Hit extends FoldableHit>(hits: readonly Hit[]) {
  const keyOf = ({ session_id }: Hit, id: string): string => `${session_id} ${id}`;
  const decisions = new Map<string, Hit>();
  for (const hit of hits.toReversed())
    if (hit.record.type === 'decision') decisions.set(keyOf(hit, hit.record.id), hit);
  const laterOf = (hit: Hit): Hit | undefined =>
    hit.superseded_by ? decisions.get(keyOf(hit, hit.superseded_by)) : undefined;
  const earlierOf = new Map<Hit, Hit[]>();
  const current: Hit[] = [];
  for (const hit of hits) {
    let latest = hit;
    for (let later = laterOf(hit); later; later = laterOf(later)) latest = later;
    if (latest === hit) current.push(hit);
    else earlierOf.set(latest, [...(earlierOf.get(latest) ?? []), hit]);
  }
  return { current, earlierOf };
}

/** Adds a hit to the first entry into which it can be folded. Returns false if there is none. */
function addToFold<Hit extends FoldableHit>(folds: readonly OpenFold<Hit>[], hit: Hit): boolean {
  for (const { hit: first, also, similar } of folds) {
    if (first.session_id === hit.session_id || (first.status ?? '') !== (hit.status ?? '')) continue;
    const isEqual = first.excerpt === hit.excerpt;
    if (!isEqual && !isSimilar(first, hit)) continue;
    const isNamed = [...also, ...similar].some(({ session_id }) => session_id === hit.session_id);
    if (isNamed && !isEqual) continue;
    if (!isNamed) (isEqual ? also : similar).push(hit);
    return true;
  }
  return false;
}

/** Names the session of a contract in each entry whose text stands at a place of the contract. */
function addPlaces<Hit extends FoldableHit>(folds: readonly OpenFold<Hit>[], hit: Hit): void {
  const texts = new Set(hit.places?.flatMap(({ excerpts }) => excerpts));
  for (const { hit: first, also, similar } of folds) {
    const isOther = [first, ...also, ...similar].every(({ session_id }) => session_id !== hit.session_id);
    if (isOther && texts.has(first.excerpt) && (first.status ?? '') === (hit.status ?? '')) also.push(hit);
  }
}

/** A text has at least this number of words if another text may be similar to it. */
const SIMILAR_LENGTH = 8;

/** The part of the words of the longer text that two similar texts have in common. */
const SIMILAR_PART = 3 / 4;

/** Whether two texts of the same kind of record have most of their words in common, in any order. */
function isSimilar(one: FoldableHit, other: FoldableHit): boolean {
  if (one.record.type !== other.record.type) return false;
  const [words, others] = [one.excerpt.split(/\s+/), other.excerpt.split(/\s+/)];
  const length = Math.max(words.length, others.length);
  if (length < SIMILAR_LENGTH) return false;
  const left = new Map<string, number>();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  const common = others.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
  return common.length >= length * SIMILAR_PART;
}

/** The types of records whose hits are in the text of a contract. */
const CONTRACT_TYPES = ['revision', 'manifest'];

function rankOf(hit: FoldableHit): number {
  const { status, elsewhere = [], record } = hit;
  if (status === 'SUPERSEDED') return 6;
  if (elsewhere.length > 0) return 4;
  return (CONTRACT_TYPES.includes(record.type) ? 2 : 0) + (hasWholeWord(hit) ? 0 : 1);
}

/** Whether a searched word stands in the text as a whole word, not only at the beginning of a longer word. */
const hasWholeWord = ({ excerpt, marks }: FoldableHit): boolean =>
  marks === undefined || marks.some(({ end }) => !/[\p{L}\p{N}]/u.test(excerpt.charAt(end)));
