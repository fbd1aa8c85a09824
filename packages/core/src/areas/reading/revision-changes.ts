import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { nameKey } from '../../kernel/name-key.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import type { Revision } from '../contract/record.ts';
import { changesOf } from '../contract/revision-diff.ts';
import type { Decisions } from '../decisions/state.ts';
import type { Change } from '../document/diff.ts';
import type { SessionState } from '../state.ts';
import { citedDecisions, citedSeqs } from './cited-decisions.ts';
import { type Description, descriptionOf, descriptionOfDecision } from './description.ts';
import { type Location, locationOf } from './location.ts';
import { type Pair, type Step, stepsBetween } from './pair.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { bySchema } from './sections.ts';

export interface RevisionChange extends Description {
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
