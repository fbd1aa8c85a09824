import { nameKey } from '../../kernel/name-key.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { wordDiff } from '../word-diff.ts';
import type { Location } from './location.ts';
import type { CitedDecision, CitedDecisions } from './pair.ts';
import type { Piece } from './pieces.ts';

/** Maximum length of a text whose change is shown as two values. For a longer text, the changed words are shown. */
const SHORT_CHARS = 80;
/**
 * Maximum length of the value before or after a change, which is cut if it is longer. The owner must be able to read all
 * of an added record, so the limit is far above the size of an ordinary record.
 */
const MAX_VALUE_CHARS = 100_000;
/** Maximum length of the changed words of a text. If they are longer, the text before and after the change is shown. */
const MAX_WORDS_CHARS = 4_000;
/** Members that name a record in a few words. The first member that the record has is used. */
const TITLES = ['title', 'name', 'text', 'filename'];
/** Maximum length of the title of a record, which is cut if it is longer. */
const MAX_TITLE_CHARS = 80;

type Values = Pick<Piece, 'before' | 'after'>;

/**
 * The description of a change: the place, and the values before and after the change. If only parts of a long text
 * changed, `words` shows the changed words instead of the values.
 */
export interface Description {
  /** The place, such as "interfaces › if-release › errors › LOCKED › status". */
  readonly place: string;
  /** The topic of a decision, or the name of another record that was added or removed, if `place` does not contain it. */
  readonly title?: string;
  /** Id of the decision that a decision replaces. */
  readonly replaces?: string;
  /** Id of the decision that replaces a removed decision. */
  readonly replaced_by?: string;
  readonly words?: string;
  readonly before: string | null;
  readonly after: string | null;
}

export function descriptionOf(piece: Piece, { words: place }: Location): Description {
  if (piece.kind === 'CHANGED') return { place, ...valuesOrWords(piece) };
  const title = titleOf(piece.after ?? piece.before);
  return { place, ...(title !== '' && !place.includes(title) && { title }), ...valuesOf(piece) };
}

/** The decisions that the two compared revisions cite. */
export interface CitedPair {
  readonly before: CitedDecisions;
  readonly after: CitedDecisions;
}

/** The decision with an id in a piece, if the revision cites it. */
const citedAs = (cited: CitedDecisions, id: unknown): CitedDecision | undefined =>
  [...cited.values()].find(({ decision_id }) => decision_id === id);

/**
 * Describes a decision that was added to or removed from the list of the contract. The contract contains only the id of
 * the decision. If the earlier revision cites another decision on the same topic, `words` shows the words that differ,
 * whatever was proposed in between. The text of a removed decision is left out if the later revision cites another
 * decision on its topic, because the change that adds this decision shows which words differ.
 */
export function descriptionOfDecision(cited: CitedPair, piece: Piece, location: Location): Description {
  const { kind } = piece;
  const [old, now] = [citedAs(cited.before, piece.before), citedAs(cited.after, piece.after)];
  if (old && kind === 'REMOVED') {
    const by = otherOn(cited.after, old);
    const text = by ? {} : { before: old.position };
    return { ...headOf(old), ...(by && { replaced_by: by.decision_id }), ...valuesOf(text) };
  }
  if (!now) return descriptionOf(piece, location);
  const replaced = otherOn(cited.before, now);
  const values = { before: replaced?.position, after: now.position };
  return { ...headOf(now), ...(replaced && { replaces: replaced.decision_id }), ...valuesOrWords(values) };
}

const headOf = ({ decision_id, topic }: CitedDecision) => ({ place: `decision ${decision_id}`, title: topic });

/** The decision on the same topic that a revision cites. Undefined if the revision cites none, or the same decision. */
function otherOn(cited: CitedDecisions, { decision_id, topic }: CitedDecision): CitedDecision | undefined {
  const other = cited.get(nameKey(topic));
  return other?.decision_id === decision_id ? undefined : other;
}

function valuesOrWords(values: Values): Pick<Description, 'words' | 'before' | 'after'> {
  const words = wordsOf(values);
  return words === undefined ? valuesOf(values) : { words, before: null, after: null };
}

/**
 * The changed words of a long text. Undefined for any other value, and if the changed words are too long themselves.
 */
function wordsOf({ before, after }: Values): string | undefined {
  if (!isText(before) || !isText(after) || Math.max(before.length, after.length) <= SHORT_CHARS) return undefined;
  const words = wordDiff(before, after);
  return words.length <= MAX_WORDS_CHARS ? words : undefined;
}

const valuesOf = ({ before, after }: Values) => ({
  before: before === undefined ? null : cut(textOf(before), MAX_VALUE_CHARS),
  after: after === undefined ? null : cut(textOf(after), MAX_VALUE_CHARS),
});

/** The name of a record on one line. Empty for any other value. */
function titleOf(value: unknown): string {
  const title = isRecord(value) ? TITLES.map((name) => value[name]).find(isText) : undefined;
  return cut((title ?? '').replaceAll(/\s+/g, ' ').trim(), MAX_TITLE_CHARS);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const textOf = (value: unknown): string => (isText(value) ? value : JSON.stringify(value, null, 1));
const cut = (text: string, chars: number): string =>
  text.length > chars ? `${text.slice(0, chars).toWellFormed()}…` : text;
