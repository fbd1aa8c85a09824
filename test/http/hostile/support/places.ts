import { marksIn, type Pen } from './pen.ts';
import type { Reading } from './reads.ts';

/** A place in an answer where a text of the test is shown. Each text contains a unique mark. */
interface Found {
  readonly mark: string;
  /**
   * Path of the text in the answer, without indexes. For a text in the body of a transcript, feed or log entry, the
   * kind of the entry replaces the path of the body.
   */
  readonly place: string;
  /** Author of the record that contains the text, or null if the record names no author. */
  readonly speaker: string | null;
}

const SPEAKERS = ['from', 'actor', 'by', 'raised_by', 'proposed_by', 'author', 'opened_by'];

/** Finds the marks of the test's texts in an answer, also in names of members. */
function* findMarks(value: unknown, place = '', speaker: string | null = null): Generator<Found> {
  if (typeof value === 'string') {
    for (const mark of marksIn(value)) yield { mark, place, speaker };
  } else if (Array.isArray(value)) {
    for (const item of value) yield* findMarks(item, `${place}[]`, speaker);
  } else if (typeof value === 'object' && value !== null) {
    yield* findInRecord(value, place, speaker);
  }
}

function* findInRecord(record: object, place: string, outer: string | null): Generator<Found> {
  const members = new Map<string, unknown>(Object.entries(record));
  const named = SPEAKERS.map((name) => members.get(name)).find((name) => typeof name === 'string');
  const speaker = typeof named === 'string' ? named : outer;
  const kind = members.get('kind');
  const body = members.get('body') ?? members.get('data');
  const isEntry = typeof kind === 'string' && kind.includes('.') && body !== undefined;
  for (const [name, member] of members) {
    for (const mark of marksIn(name)) yield { mark, place: `${place}.*`, speaker };
    const isBody = isEntry && member === body;
    yield* findMarks(member, isBody ? kind : inMember(place, name), speaker);
  }
}

/** Appends a member's name to a path. Appends `*` in place of a name that a caller chose. */
const inMember = (place: string, name: string): string => {
  const shown = marksIn(name).length > 0 ? '*' : name;
  return place === '' ? shown : `${place}.${shown}`;
};

/** Where the texts of a field are shown, and to which roles. */
export interface Shown {
  /**
   * Names of places in answers. If the record that contains the text has another author than the text, the name of the
   * place ends with the record's author.
   */
  readonly places: Set<string>;
  readonly readers: Set<Reading['role']>;
}

export function shownIn(pen: Pen, readings: readonly Reading[]): Map<string, Shown> {
  const shown = new Map<string, Shown>();
  for (const { role, read, answer } of readings) {
    for (const { mark, place, speaker } of findMarks(answer)) {
      const written = pen.written.get(mark);
      const field = written?.field ?? 'nobody';
      const isForeign = speaker !== null && speaker !== written?.author;
      const known = shown.get(field) ?? { places: new Set(), readers: new Set() };
      known.places.add(`${named(read, place, field)}${isForeign ? ` (${speaker})` : ''}`);
      known.readers.add(role);
      shown.set(field, known);
    }
  }
  return shown;
}

const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['get_final_plan markdown', 'plan.md'],
  ['plan markdown', 'plan.md'],
  ['revision markdown', 'plan.md'],
  ['get_revision_diff text', 'diff'],
  ['diff text', 'diff'],
  ['fetch_artifact content', 'file'],
  ['artifact content', 'file'],
  ['report text', 'report.md'],
  ['verify_board markdown', 'board.md'],
  ['board markdown', 'board.md'],
]);

/** Reads that consist of copies from other reads. All paths in such a read count as one place. */
const COLLECTIONS = ['changes', 'brief'];

/**
 * Names a place. Rendered documents have names of their own. All paths in a contract count as one place, all paths in
 * patch operations as another.
 */
function named(read: string, place: string, field: string): string {
  if (COLLECTIONS.includes(read)) return read;
  if (place === `contract.${field.slice('contract '.length)}`) return 'contract';
  if (place.startsWith(`contract.${field.slice('contract '.length)}.`)) return 'contract';
  if (/^(?:revision\.created\.)?ops\[\]\./.test(place)) return 'ops';
  return DOCUMENTS.get(`${read} ${place}`) ?? place;
}
