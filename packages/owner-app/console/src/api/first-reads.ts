import { API, PAGE_KEY, PENDING, pageKey } from './page-key.ts';

/**
 * Sends the reads that the present page needs first. The browser runs this module while it still loads the rest of the program,
 * which takes most of the time on a slow connection. The program takes the answers when it would send the same reads.
 */

interface FirstRead {
  readonly answer: Promise<Response>;
  readonly aborting: AbortController;
}

/** Number of events that the page of a session reads at first. */
export const FIRST_EVENTS = 30;
/** Addresses that every page reads. */
const EVERYWHERE = ['/me', '/inbox?limit=100'];

const SESSION = /^\/owner(\/sessions\/[\w-]+)/;

/** Reads whose answers nobody has taken, by address. */
const sent = new Map<string, FirstRead>();

function sendAll(): void {
  // Without a sign-in the service refuses every read.
  if (pageKey() === '' || localStorage.getItem(PENDING) !== null) return;
  const [, session] = SESSION.exec(location.pathname) ?? [];
  const own = session ? [session, `${session}/events?last=${FIRST_EVENTS}`] : [];
  for (const address of [...own, ...EVERYWHERE]) {
    const aborting = new AbortController();
    const headers = { 'Parley-Page-Key': pageKey() };
    const answer = fetch(`${API}${address}`, { headers, signal: aborting.signal });
    // An error is reported when the answer is taken.
    answer.catch(() => undefined);
    sent.set(address, { answer, aborting });
  }
  // Reads of another sign-in are not used.
  addEventListener('storage', ({ key }) => {
    if (key === PAGE_KEY || key === null) sent.clear();
  });
}

/**
 * Takes the answer of a read that was sent first, once.
 *
 * @param signal aborts the read
 */
export function takeFirstRead(address: string, signal?: AbortSignal | null): Promise<Response> | undefined {
  const read = sent.get(address);
  sent.delete(address);
  signal?.addEventListener('abort', () => read?.aborting.abort());
  return read?.answer;
}

sendAll();
