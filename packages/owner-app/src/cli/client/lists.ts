import type { Answer, OwnerClient } from '@parley/core/client';
import { type Page, UNLIMITED } from '../../text/page.ts';
import { type Json, readAs } from '../../text/read-as.ts';
import { visibleLine } from '../../text/visible.ts';
import { commandFailed, wrongUsage } from '../exit-codes.ts';

/** The most that a command reads of one list: a hostile server could send pages without end. */
const MOST_PAGES = 10_000;
const MOST_BYTES = 128_000_000;
/** Objects and arrays, which take far more memory than their text. */
const MOST_RECORDS = 2_000_000;

interface Paging<Page> {
  /** The cursor of the first page. Empty by default. */
  readonly from?: string;
  /** The cursor of the page after a page, or an empty text after the last page. By default the member `next_after`. */
  readonly nextOf?: (page: Page) => string;
}

/**
 * Yields the page after a cursor, and all pages after it. Rejects with CliError if a page leads to an earlier one, or if the pages
 * are too many or too long together.
 */
export async function* pagesOf<Page extends Json>(
  read: (after: string) => Promise<Page>,
  { from = '', nextOf = (page) => readAs(page, { next_after: 'text' }).next_after }: Paging<Page> = {},
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  let [bytes, records] = [0, 0];
  for (let after = from; ; ) {
    seen.add(after);
    const page = await read(after);
    yield page;
    after = nextOf(page);
    if (after === '') return;
    const text = JSON.stringify(page);
    bytes += Buffer.byteLength(text);
    records += text.match(/[[{]/g)?.length ?? 0;
    if (seen.has(after)) refuse('without an end: a page leads to an earlier page. Check PARLEY_URL.');
    if (seen.size >= MOST_PAGES) refuse(`of more than ${MOST_PAGES} pages. ${LESS}`);
    if (bytes > MOST_BYTES) refuse(`of more than ${MOST_BYTES / 1_000_000} MB. ${LESS}`);
    if (records > MOST_RECORDS) refuse(`of more than ${MOST_RECORDS} records. ${LESS}`);
  }
}

const LESS = 'Check PARLEY_URL, or ask for less with the flags of the command.';

function refuse(what: string): never {
  throw commandFailed(`The answers of the server are a list ${what}`);
}

const PAGE = 100;

const pageAfter = (after: string) => ({ limit: PAGE, ...(after && { after }) });

/** A session with its movers and its tasks. */
export type OverviewSession = Answer<'overview'>['sessions'][number];

/**
 * Reads every page of the overview, newest session first.
 *
 * @param from id of the session after which to begin
 */
export async function* overviewSessions(client: OwnerClient, from = ''): AsyncGenerator<OverviewSession> {
  for await (const page of pagesOf((after) => client.call('overview', pageAfter(after)), { from }))
    yield* page.sessions;
}

/** Reads every page of the list of sessions, newest first. */
async function* listedSessions(client: OwnerClient): AsyncGenerator<Listed> {
  for await (const page of pagesOf((after) => client.call('listSessions', pageAfter(after)))) yield* page.sessions;
}

/** The ids of all sessions of the owner, sorted. */
export async function sessionIds(client: OwnerClient): Promise<string[]> {
  const ids: string[] = [];
  for await (const { session_id } of listedSessions(client)) ids.push(session_id);
  return ids.toSorted();
}

const MIN_CHARS = 4;
const WHOLE_CHARS = 22;
const SHOWN = 10;

type Listed = Answer<'listSessions'>['sessions'][number];

/** Whether a text can be the beginning of a session id: four or more characters that occur in ids. */
export const isSessionPrefix = (text: string): boolean =>
  text.length >= MIN_CHARS && text.length <= WHOLE_CHARS && /^[0-9A-Za-z]+$/.test(text);

/** Whether a text has the length and the characters of a whole session id. */
export const isWholeSessionId = (text: string): boolean => text.length === WHOLE_CHARS && isSessionPrefix(text);

/**
 * Returns the id of the only session whose id begins with a text. A complete id is returned without a call. A text that
 * cannot be the beginning of an id is returned unchanged, so that the service refuses it.
 */
export async function wholeSessionId(client: OwnerClient, given: string): Promise<string> {
  if (isWholeSessionId(given) || !isSessionPrefix(given)) return given;
  const found: Listed[] = [];
  for await (const session of listedSessions(client)) if (session.session_id.startsWith(given)) found.push(session);
  const [only, ...others] = found;
  if (!only)
    throw commandFailed(`You have no session whose id begins with ${given}. List your sessions: parley sessions`);
  if (others.length > 0) throw wrongUsage(ambiguityText(given, found));
  return only.session_id;
}

function ambiguityText(given: string, found: readonly Listed[]): string {
  const lines = found.slice(0, SHOWN).map(({ session_id, title }) => `  ${session_id}  ${visibleLine(title)}`);
  const more = found.length > SHOWN ? [`  and ${found.length - SHOWN} more`] : [];
  return [
    `The ids of ${found.length} sessions begin with ${given}. Give more characters of the id:`,
    ...lines,
    ...more,
  ].join('\n');
}

/**
 * The id of a session in the commands that the output shows: on a terminal what the person typed, because no other session
 * has this prefix; in a file or a pipe the whole id.
 */
export const shownGiven = (given: string, sessionId: string, { columns }: Pick<Page, 'columns'>): string =>
  columns === UNLIMITED ? sessionId : given;

/**
 * The id of a session as a list shows it: its shortest beginning, of at least four characters, with which no other id begins.
 *
 * @param ids the ids of all sessions of the owner, sorted. Empty for the whole id
 */
export function shownId(id: string, ids: readonly string[]): string {
  if (ids.length === 0) return id;
  const at = ids.indexOf(id);
  const shared = [ids[at - 1], ids[at + 1]].map((other) => (other === undefined ? 0 : sharedChars(id, other)));
  return id.slice(0, Math.max(MIN_CHARS, ...shared.map((count) => count + 1)));
}

function sharedChars(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return count;
}

/** The id of the person whose owner key the command uses. */
export const myId = async (client: OwnerClient): Promise<string> => (await client.call('whoAmI')).id;
