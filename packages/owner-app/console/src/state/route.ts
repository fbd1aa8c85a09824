import { type IdRecordType, recordTypeOf } from '@parley/core/text';
import { batch, computed, signal } from '@preact/signals';
import { messagePath, recordPath, sessionPath } from '../../../src/text/record-address.ts';

const BASE = '/owner/';

/** Matches an address that has the number of a message instead of a record's id: `/owner/sessions/…/12`. */
const MESSAGE = /^(\/owner\/sessions\/[^/]+)\/([1-9]\d{0,8})\/?$/;

/** Replaces an address that ends with the number of a message by the address of this message in the transcript. */
function resolveMessage(): void {
  const [, session, number] = MESSAGE.exec(location.pathname) ?? [];
  if (session && number) history.replaceState(null, '', `${session}#m-${number}`);
}

resolveMessage();

/** The path of the current page, below `/owner/`. */
const path = signal(below(location.pathname));
/** The query of the current address: empty, or `?` with its members. */
export const search = signal(location.search);

function below(pathname: string): string {
  return pathname.startsWith(BASE) ? pathname.slice(BASE.length) : '';
}

export const TABS = ['transcript', 'contract', 'verify', 'people', 'log'] as const;
export type Tab = (typeof TABS)[number];

interface SessionRoute {
  readonly page: 'session';
  readonly sessionId: string;
  readonly tab: Tab;
  /** The record in the path, such as `d_4`; null for the path of a tab. */
  readonly record: string | null;
  /**
   * The record in the side panel: the record in the query `open` or, without `open`, the record in the path, except a
   * revision. Null if there is none.
   */
  readonly opened: string | null;
  /**
   * The revision with which the revision in `record` is compared, from the query `against`. Null without this query.
   */
  readonly against: string | null;
  /** How the tab `contract` shows the revision, from the query `show`. Null without this query. */
  readonly show: string | null;
}

/** For each type of record: the tab that shows such records. */
const RECORD_TABS: Readonly<Record<IdRecordType, Tab>> = {
  question: 'transcript',
  decision: 'transcript',
  intervention: 'transcript',
  action: 'transcript',
  revision: 'contract',
  finding: 'contract',
  defect: 'verify',
  followup: 'log',
  hold: 'people',
  recommendation: 'people',
};

/** Returns the tab that shows a record, or undefined if the text is not the id of a record. */
export function tabOfRecord(id: string): Tab | undefined {
  const type = recordTypeOf(id);
  return type && RECORD_TABS[type];
}

/** The pages whose path is their name. */
const PAGES = ['sessions', 'new', 'people', 'audit', 'find', 'group'] as const;

type Route = SessionRoute | { readonly page: 'inbox' | (typeof PAGES)[number] | 'not found' };

export const route = computed<Route>(() => routeAt(path.value, search.value));

function routeAt(below: string, search: string): Route {
  // Ignores a slash at the end, because some programs add a slash to an address.
  const [first = '', sessionId = '', part = 'transcript', ...rest] = below.replace(/\/$/, '').split('/');
  if (first === '') return { page: 'inbox' };
  const page = PAGES.find((name) => name === first);
  if (page && sessionId === '') return { page };
  const recordTab = tabOfRecord(part);
  const tab = recordTab ?? TABS.find((candidate) => candidate === part);
  if (first !== 'sessions' || sessionId === '' || !tab || rest.length > 0) return { page: 'not found' };
  const query = new URLSearchParams(search);
  const record = recordTab ? part : null;
  // A revision is not opened in the side panel, because the tab `contract` shows it.
  const own = isRevision(record) ? null : record;
  const asked = query.get(OPEN) ?? '';
  const opened = tabOfRecord(asked) && !isRevision(asked) ? asked : own;
  return { page: 'session', sessionId, tab, record, opened, against: query.get('against'), show: query.get('show') };
}

/** The member of the query that contains the record in the side panel. */
const OPEN = 'open';

const isRevision = (id: string | null): boolean => id?.startsWith('r_') === true;

/**
 * Returns the address of the current page with a record in its side panel. If the path contains a revision, or if the
 * tab does not show records of this type, the record is in the query, otherwise in the path. So the page behind the
 * panel does not change.
 */
function withRecord(here: SessionRoute, id: string): string {
  const { sessionId, tab, record } = here;
  if (isRevision(record)) return `${sessionPath(sessionId)}/${record}${queryOf(here, id)}`;
  return tabOfRecord(id) === tab
    ? `${recordPath(sessionId, id)}${queryOf(here)}`
    : `${toSession(sessionId, tab)}${queryOf(here, id)}`;
}

/** Returns the address of the current page without a record in its side panel. */
function withoutRecord(here: SessionRoute): string {
  const { sessionId, tab, record } = here;
  const path = record !== null && isRevision(record) ? recordPath(sessionId, record) : toSession(sessionId, tab);
  return `${path}${queryOf(here)}`;
}

/** The query of the current page: the compared revision, how the contract is shown, and the record in the panel. */
function queryOf({ record, against, show }: SessionRoute, open?: string): string {
  const query = new URLSearchParams({
    ...(isRevision(record) && against !== null && { against }),
    ...(show !== null && { show }),
    ...(open !== undefined && { [OPEN]: open }),
  }).toString();
  return query === '' ? '' : `?${query}`;
}

/**
 * Writes into the address how the tab `contract` shows the revision, so that a step back in the history of the browser
 * shows it in this way again. Removes the fragment `#changes`, which would select the default.
 */
export function showAs(show: string): void {
  const { pathname, search: before, hash } = location;
  const query = new URLSearchParams(before);
  query.set('show', show);
  replaceAddress(`${pathname}?${query}${hash === '#changes' ? '' : hash}`);
}

/** Shows a record in the side panel, with a new entry in the history of the browser. The page is not scrolled. */
function goToRecord(id: string): void {
  const here = route.value;
  if (here.page !== 'session' || here.opened === id) return;
  history.pushState(null, '', withRecord(here, id));
  readAddress();
}

/** Removes the record of the side panel from the address. */
function leaveRecord(): void {
  const here = route.value;
  if (here.page === 'session' && here.opened !== null) replaceAddress(withoutRecord(here));
}

export const toInbox = (): string => BASE;
export const toTable = (): string => `${BASE}sessions`;
/** The address of the form for a new session, in a group if one is named. */
export const toNew = (group?: string): string =>
  `${BASE}new${group === undefined ? '' : `?${new URLSearchParams({ group })}`}`;
/** The address of the page with the sessions of a group. */
export const toGroup = (name: string): string => `${BASE}group?${new URLSearchParams({ name })}`;
export const toAudit = (): string => `${BASE}audit`;
/** The address of the page that finds words in all sessions. */
export const toFind = (words: string): string => `${BASE}find?${new URLSearchParams({ words })}`;
export const toPeople = (): string => `${BASE}people`;
export const toSession = (sessionId: string, tab?: Tab): string =>
  `${sessionPath(sessionId)}${tab && tab !== 'transcript' ? `/${tab}` : ''}`;

/** The address of a message in the transcript. */
export const toMessage = messagePath;

/**
 * Navigates to an address of the console without loading the page again. If `to` belongs to the same session and opens
 * no record, the side panel stays open.
 */
export function go(to: string): void {
  const address = withOpened(to);
  if (address !== `${location.pathname}${location.search}${location.hash}`) history.pushState(null, '', address);
  readAddress();
  scrollTo(0, 0);
  // `pushState` fires no event, but a page scrolls to the linked message or element on the event `hashchange`. So the
  // event is fired here.
  if (location.hash !== '') dispatchEvent(new HashChangeEvent('hashchange'));
}

/**
 * Adds the record in the side panel to an address. Returns the address unchanged if the address already opens a record
 * or belongs to another session.
 */
function withOpened(address: string): string {
  const here = route.value;
  const url = new URL(address, location.href);
  const there = routeAt(below(url.pathname), url.search);
  if (here.page !== 'session' || here.opened === null || there.page !== 'session') return address;
  if (there.sessionId !== here.sessionId || there.opened !== null) return address;
  url.searchParams.set(OPEN, here.opened);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Replaces the current address without adding an entry to the history of the browser. */
export function replaceAddress(address: string): void {
  history.replaceState(null, '', address);
  readAddress();
}

function readAddress(): void {
  resolveMessage();
  batch(() => {
    path.value = below(location.pathname);
    search.value = location.search;
  });
}

addEventListener('popstate', readAddress);

/** The member of the query that contains a word to highlight. It occurs once for each word. */
const MARK = 'mark';

/** The words of the address, which the page of a session highlights. A hit of a search puts them there. */
export const markedWords = computed<readonly string[]>(() => new URLSearchParams(search.value).getAll(MARK));

/** Adds words to the address of a page of a session, which highlights them. */
export function withMarks(address: string, words: readonly string[]): string {
  const url = new URL(address, location.href);
  for (const word of new Set(words.map((each) => each.toLowerCase()))) url.searchParams.append(MARK, word);
  return `${url.pathname}${url.search}${url.hash}`;
}

/**
 * The ids that were opened in the side panel, oldest first. The panel shows the last id. The list is empty while the
 * panel is closed.
 *
 * - The id of a record, such as `d_4`, is also in the address of the page. When the address changes, `followAddress`
 * adds this id to the list.
 * - The id of a part of the contract, such as a task, is never in the address.
 */
const trail = signal<readonly string[]>([]);

/** The id that the side panel shows. Null while the panel is closed. */
export const openedId = computed<string | null>(() => trail.value.at(-1) ?? null);

/** The id that the panel showed before `openedId`. Null if there is none. */
export const earlierId = computed<string | null>(() => trail.value.at(-2) ?? null);

export function openId(id: string): void {
  if (id === openedId.value) return;
  if (tabOfRecord(id)) goToRecord(id);
  followAddress(id);
}

/**
 * Updates the trail after a change of the address. A new record is added. After a step back in the browser's history,
 * the previous id is shown again. If the address contains no record, a part of the contract stays open.
 *
 * @param id the record in the address; null if there is none
 */
export function followAddress(id: string | null): void {
  const shown = openedId.value;
  if (id === shown) return;
  if (id === null) trail.value = shown !== null && !tabOfRecord(shown) ? [shown] : [];
  else if (id === earlierId.value) trail.value = trail.value.slice(0, -1);
  else trail.value = [...trail.value, id];
}

/** Empties the side panel when another session is opened. The address does not change. */
export function forgetEntries(): void {
  trail.value = [];
}

/** Shows the previous id in the side panel, and updates the address. */
export function backToEarlier(): void {
  const earlier = earlierId.value;
  if (earlier === null) return;
  trail.value = trail.value.slice(0, -1);
  if (tabOfRecord(earlier)) goToRecord(earlier);
  else leaveRecord();
}

/** The media query for narrow windows, in which the panel covers the page. */
export const SHEET = '(max-width: 47.99rem)';

/** Closes the panel if it covers the page, so that the user can see the target of a link. */
export function closeSheet(): void {
  if (matchMedia(SHEET).matches) closePanel();
}

/** Closes the side panel, and removes its record from the address. */
export function closePanel(): void {
  if (trail.value.length > 0) trail.value = [];
  leaveRecord();
}
