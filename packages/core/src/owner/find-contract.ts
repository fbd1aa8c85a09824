import { sessionCatalog } from '../areas/catalog.ts';
import { memberPath } from '../areas/document/json-pointer.ts';
import type { Match, Term } from '../areas/owner/transcript.ts';
import { bestExcerpts, hasTerms } from '../areas/owner/transcript.ts';
import { placeWords } from '../areas/reading/location.ts';
import type { SessionState } from '../areas/state.ts';
import type { Engine } from '../kernel/engine/engine.ts';
import { type LoggedEvent, readEvent } from '../kernel/log/event.ts';
import { isRecord, parseOrNull } from '../kernel/text/json-value.ts';
import type { Found } from './methods.ts';

interface ContractSearch {
  readonly engine: Engine<SessionState>;
  readonly terms: readonly Term[];
  /** The sessions whose latest contract is a hit already. */
  readonly cited: Set<string>;
  bytesLeft: number;
}

/** A match, and for a match in a contract: the contract, and the revision that replaced it. */
export interface RevisionMatch extends Match {
  readonly contract?: unknown;
  /** Id of the latest revision, if the contract is that of an earlier one. */
  readonly replacedBy?: string;
}

/**
 * The matches of one event whose texts contain the searched terms. If the event created no revision: `match`. Otherwise
 * these two, as far as they contain all terms:
 * - A contract: that of the latest revision, which is left out if `cited` has the session; if the latest contract does not
 *   contain the terms, the contract of the revision of this event.
 * - The reason of the revision of this event.
 * If neither contains all terms, `match`.
 */
export async function revisionMatches(
  search: ContractSearch,
  sessionId: string,
  match: Match,
): Promise<RevisionMatch[]> {
  const { event } = match;
  if (event.kind !== 'revision.created') return [match];
  const revision = sessionCatalog['revision.created'].data.safeParse(event.data).data;
  const state = await search.engine.sessions.load(sessionId).catch(() => null);
  const latest = state?.contract.latest;
  if (!revision || !latest) return [match];
  const reason = { reason: revision.reason };
  const said = hasTerms(reason, search.terms) ? [{ event, texts: reason }] : [];
  const current = await contractWith(search, sessionId, latest.content_hash);
  if (current !== undefined) {
    if (search.cited.has(sessionId)) return said;
    search.cited.add(sessionId);
    const created = latest.seq === event.seq ? event : await eventAt(search, sessionId, latest.seq);
    return [{ event: created, texts: current, contract: current }, ...said];
  }
  if (latest.seq === event.seq) return said.length > 0 ? said : [match];
  const own = await contractWith(search, sessionId, revision.content_hash);
  if (own === undefined) return said.length > 0 ? said : [match];
  return [{ event, texts: own, contract: own, replacedBy: latest.revision_id }, ...said];
}

/** The contract with a hash. Undefined if the contract does not contain the searched terms. */
export async function contractWith(search: ContractSearch, sessionId: string, hash: string): Promise<unknown> {
  const body = await search.engine.storage.document(sessionId, hash);
  if (body === null) return undefined;
  search.bytesLeft -= Buffer.byteLength(body);
  const contract = parseOrNull(body);
  return hasTerms(contract, search.terms) ? contract : undefined;
}

async function eventAt({ engine }: ContractSearch, sessionId: string, seq: number): Promise<LoggedEvent> {
  const [stored] = await engine.storage.events(sessionId, seq, seq);
  if (!stored) throw new Error(`The log of session ${sessionId} has no event ${seq}.`);
  return readEvent(stored);
}

type Place = NonNullable<Found['hits'][number]['places']>[number];

/** The limits of the excerpts of one hit: 60 excerpts of 300 characters. A word such as `a` is in most texts of a contract. */
const PLACES_WITH_EXCERPTS = 20;
const EXCERPTS_OF_PLACE = 3;

/**
 * The places of a contract that contain the searched terms: records that have ids, and other members of the contract.
 * First the places with the most whole words. Empty if the terms are only in different places.
 */
export function placesWith(contract: unknown, terms: readonly Term[]): Place[] {
  const pieces = isRecord(contract)
    ? Object.entries(contract).flatMap(([section, value]) => piecesOf(section, value))
    : [];
  return pieces
    .filter(({ value }) => hasTerms(value, terms))
    .map(({ value, pointer, place }) => ({ ...bestExcerpts(value, terms), pointer, place }))
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ place, pointer, excerpts }, index) => ({
      ...place,
      words: placeWords(contract, pointer) ?? place.section,
      excerpts: index < PLACES_WITH_EXCERPTS ? excerpts.slice(0, EXCERPTS_OF_PLACE) : [],
    }));
}

interface ContractPiece {
  readonly value: unknown;
  readonly pointer: string;
  readonly place: Pick<Place, 'section' | 'id'>;
}

function piecesOf(section: string, value: unknown): ContractPiece[] {
  const pointer = memberPath('', section);
  if (!Array.isArray(value) || !value.some((item) => isRecord(item) && typeof item.id === 'string'))
    return [{ value, pointer, place: { section } }];
  return value.map((item: unknown, index) => ({
    value: item,
    pointer: memberPath(pointer, index),
    place: isRecord(item) && typeof item.id === 'string' ? { section, id: item.id } : { section },
  }));
}
