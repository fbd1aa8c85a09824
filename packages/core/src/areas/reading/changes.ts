import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { groupBy } from '../../kernel/maps.ts';
import { nameKey } from '../../kernel/name-key.ts';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { CauseView, causesOf, changesOf } from '../contract/rules.ts';
import type { Revision } from '../contract/state.ts';
import type { Change } from '../document/diff.ts';
import { wordDiff } from '../document/shown-changes.ts';
import { At, BuilderRole, DecisionId, RevisionId } from '../fields.ts';
import { LIST_COST, pageCall } from '../listing.ts';
import type { Decisions } from '../planning/state.ts';
import type { SessionState } from '../state.ts';
import { CHANGE_KINDS, type Location, locationOf, type Piece, piecesOf } from './location.ts';
import {
  bySchema,
  type CitedDecision,
  type CitedDecisions,
  citedDecisions,
  citedSeqs,
  listRequests,
  type Pair,
  REQUEST_FIELDS,
  revisionsBetween,
  type Section,
  SectionReadView,
  type Step,
  stepsBetween,
  viewSectionRead,
} from './rules.ts';

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
interface Description {
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

function descriptionOf(piece: Piece, { words: place }: Location): Description {
  if (piece.kind === 'CHANGED') return { place, ...valuesOrWords(piece) };
  const title = titleOf(piece.after ?? piece.before);
  return { place, ...(title !== '' && !place.includes(title) && { title }), ...valuesOf(piece) };
}

/** The decisions that the two compared revisions cite. */
interface CitedPair {
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
function descriptionOfDecision(cited: CitedPair, piece: Piece, location: Location): Description {
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

interface RevisionChange extends Description {
  readonly kind: Piece['kind'];
  readonly path: string;
  readonly section: string;
  readonly record: string | null;
  /**
   * Ids of the revisions after `Pair.since` that changed this place, oldest first. Empty if the revision is compared
   * with the empty contract.
   */
  readonly revisions: readonly string[];
}

interface Placed {
  readonly piece: Piece;
  readonly location: Location;
}

/** A step between two revisions, and the places in the contract that the step changed. */
interface PlacedStep {
  readonly step: Step;
  readonly places: readonly (readonly string[])[];
}

const contractOf = (revision: Revision | null, document: ReadDocument): unknown =>
  revision ? JSON.parse(document(revision.content_hash)) : {};

const diffOf = (state: SessionState, { since, revision }: Pair, document: ReadDocument): readonly Change[] =>
  changesOf(state, { revision, base: since ?? undefined }, document);

/** SHA-256 of the stored contracts that {@link revisionChanges} reads. */
export const documentsOf = (state: SessionState, { since, revision }: Pair): string[] => {
  const between = since ? stepsBetween(state, since, revision).map(({ to }) => to) : [];
  return [...new Set([...(since ? [since] : []), ...between, revision].map(({ content_hash }) => content_hash))];
};

/** Numbers of the stored events that {@link revisionChanges} reads. */
export const positionSeqs = (state: SessionState, pair: Pair | undefined): number[] =>
  pair ? citedSeqs(state, [pair.since, pair.revision]) : [];

/** Runs the expensive steps of {@link revisionChanges}. The event loop runs after each `yield`. */
export function* precomputeChanges(state: SessionState, pair: Pair, document: ReadDocument): Generator<unknown> {
  yield diffOf(state, pair, document);
  const steps = pair.since ? stepsBetween(state, pair.since, pair.revision) : [];
  for (const { from: since, to: revision } of steps) yield diffOf(state, { since, revision }, document);
}

/**
 * All changes between two revisions: by section in the order of the schema, then by record.
 * @param loaded the events of {@link positionSeqs}
 */
export function revisionChanges(
  state: SessionState,
  pair: Pair,
  document: ReadDocument,
  loaded: readonly LoggedEvent[],
): RevisionChange[] {
  const cited = {
    before: citedDecisions(state, pair.since, document, loaded),
    after: citedDecisions(state, pair.revision, document, loaded),
  };
  const placed = pair.since ? placedSteps(state, pair.since, pair.revision, document) : [];
  return grouped(placesIn(state, pair, document)).map(({ piece, location }) => {
    const { kind, path } = piece;
    const { section, record, names } = location;
    const steps = placed.filter(({ places }) => places.some((place) => isWithin(place, names)));
    return {
      kind,
      path,
      section,
      record,
      ...(section === 'decisions' ? descriptionOfDecision(cited, piece, location) : descriptionOf(piece, location)),
      revisions: steps.flatMap(({ step }) => step.revisions.map(({ revision_id }) => revision_id)),
    };
  });
}

function placesIn(state: SessionState, pair: Pair, document: ReadDocument): Placed[] {
  const [base, contract] = [contractOf(pair.since, document), contractOf(pair.revision, document)];
  return diffOf(state, pair, document)
    .flatMap((change) => piecesOf(change, base))
    .flatMap((piece) => byTopic(state.decisions, piece))
    .map((piece) => ({ piece, location: locationOf(piece, contract) }));
}

/**
 * Splits a piece that puts a decision at the place of a decision on another topic into a removed and an added decision,
 * because the two have nothing in common.
 */
function byTopic({ all }: Decisions, piece: Piece): Piece[] {
  const { kind, path, before, after } = piece;
  const [old, now] = [before, after].map((id) => (typeof id === 'string' ? lookUp(all, id) : undefined));
  const isSplit = path.startsWith('/decisions/') && old && now && nameKey(old.topic) !== nameKey(now.topic);
  if (kind !== 'CHANGED' || !isSplit) return [piece];
  return [
    { kind: 'REMOVED', path, before },
    { kind: 'ADDED', path, after },
  ];
}

/**
 * Sorts changes so that the changes of one section follow each other, and within a section the changes of one record.
 */
function grouped(places: readonly Placed[]): Placed[] {
  const records = new Map<string, Placed[]>();
  for (const placed of places) {
    const key = JSON.stringify([placed.location.section, placed.location.record]);
    records.set(key, [...(records.get(key) ?? []), placed]);
  }
  return [...records.values()]
    .toSorted(([one], [other]) => bySchema(one?.location.section ?? '', other?.location.section ?? ''))
    .flat();
}

function placedSteps(
  state: SessionState,
  since: Revision,
  revision: Revision,
  document: ReadDocument,
): readonly PlacedStep[] {
  return stepsBetween(state, since, revision).map((step) => {
    const places = placesIn(state, { since: step.from, revision: step.to }, document);
    return { step, places: places.map(({ location }) => location.names) };
  });
}

/** Whether one of the two places contains the other, or both are the same place. */
const isWithin = (place: readonly string[], other: readonly string[]): boolean =>
  place.slice(0, other.length).every((name, index) => name === other[index]);

const ChangeView = namedObject('ContractChange', {
  kind: z.enum(CHANGE_KINDS),
  path: z
    .string()
    .describe('JSON Pointer to the place in the revision; for a removed element, to the place where it was.'),
  place: z
    .string()
    .describe('The names on the path to the place, such as "interfaces › if-release › errors › LOCKED › status".'),
  title: z
    .string()
    .optional()
    .describe(
      'The topic of a decision, or the name of another record that was added or removed; absent if `place` contains it.',
    ),
  replaces: DecisionId.optional().describe('Only for a decision: the id of the decision that it replaces.'),
  replaced_by: DecisionId.optional().describe('Only for a removed decision: the id of the decision that replaces it.'),
  words: z
    .string()
    .optional()
    .describe('Only for a long text that changed in parts: its words, with [-removed-] and {+added+} words marked.'),
  before: z
    .string()
    .nullable()
    .describe('The text or the JSON before the change, at most 100,000 characters; null if words is present.'),
  after: z.string().nullable(),
  revisions: z.array(RevisionId).describe('The revisions in which this place changed.'),
});

const ChangedSection = namedObject('ChangedSection', {
  ...SectionReadView.shape,
  count: z.int().describe('Number of all changes in the section, including those left out of this answer.'),
  records: z.array(
    z.strictObject({
      record: z.string().nullable().describe('Id or name of the record; null for changes outside of records.'),
      changes: z.array(ChangeView),
    }),
  ),
});

export const ChangesView = namedObject('ContractChanges', {
  revision_id: RevisionId.nullable().describe('Null if there is no revision yet.'),
  content_hash: z.string().nullable(),
  since: RevisionId.nullable().describe('The revision with which revision_id is compared; null if everything is new.'),
  since_content_hash: z.string().nullable(),
  count: z.int().describe('Number of changes in all sections.'),
  sections: z.array(ChangedSection).describe('Sections with changes, in the order of the schema.'),
  revisions: z
    .array(
      z.strictObject({
        revision_id: RevisionId,
        author: BuilderRole,
        reason: z.string(),
        created_at: At,
        causes: z
          .array(CauseView)
          .describe('The records that its author named as causes, and the findings whose answers name the revision.'),
      }),
    )
    .describe('The revisions after the revision `since`, oldest first.'),
  ...REQUEST_FIELDS,
  ...LEFT_OUT,
});

export const NO_CHANGES = {
  revision_id: null,
  content_hash: null,
  since: null,
  since_content_hash: null,
  count: 0,
  sections: [],
  revisions: [],
  requests: [],
};

/** Number of changes in each section, in the order of the contract's schema. */
export function countsOf(changes: readonly RevisionChange[]): { section: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { section } of changes) counts.set(section, (counts.get(section) ?? 0) + 1);
  return [...counts]
    .map(([section, count]) => ({ section, count }))
    .toSorted((one, other) => bySchema(one.section, other.section));
}

interface Shown {
  readonly pair: Pair;
  /** The events with the numbers of `requestSeqs`. */
  readonly loaded: readonly LoggedEvent[];
  readonly changes: readonly RevisionChange[];
  readonly sections: readonly Section[];
  readonly after: number;
  /** The input of the call for the next page, besides `after`. */
  readonly also: string;
}

/** The changes by section and record, and the compared revisions, as many as fit into the answer. */
export function viewChanges(state: SessionState, { pair, loaded, changes, sections, after, also }: Shown) {
  const lists = boundedLists(LIST_COST);
  const requests = listRequests(lists, state, { pair, loaded });
  const shown = lists.list({
    records: changes.slice(after).map((change, index) => ({ change, place: after + index + 1 })),
    view: ({ change }) => ({ section: change.section, record: change.record, change: viewChange(change) }),
    how: (last) => pageCall('changes', last?.place ?? 0, also),
  });
  const listed = lists.list({
    records: revisionsBetween(state, pair.since, pair.revision),
    view: (revision) => viewRevision(state, revision),
    isCurrent: () => false,
    how: () => pageCall('records', 0, 'type: "revision"'),
  });
  const inSection = groupBy(shown(), ({ section }) => section);
  return {
    count: changes.length,
    sections: countsOf(changes).map(({ section, count }) => {
      const known = sections.find((one) => one.section === section);
      const records = groupBy(inSection.get(section) ?? [], ({ record }) => record);
      return {
        ...(known ? viewSectionRead(state.reading, known) : { section, read_at: null }),
        count,
        records: [...records].map(([record, ones]) => ({ record, changes: ones.map(({ change }) => change) })),
      };
    }),
    revisions: listed(),
    ...requests(),
    ...lists.leftOut(),
  };
}

const viewChange = ({ section: _, record: __, ...change }: RevisionChange): z.output<typeof ChangeView> => ({
  ...change,
  revisions: [...change.revisions],
});

const viewRevision = (state: SessionState, revision: Revision) => ({
  revision_id: revision.revision_id,
  author: revision.author,
  reason: revision.reason,
  created_at: revision.created_at,
  causes: causesOf(state, revision),
});
