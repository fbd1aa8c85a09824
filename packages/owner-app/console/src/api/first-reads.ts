export const API = '/owner/api';

/**
 * The name of the page key in the local storage. A sign-in consists of the page key and a cookie. The browser sends the
 * cookie to every server on this host, but only pages of this origin can read the page key.
 */
export const PAGE_KEY = 'parley-page-key';

export const pageKey = (): string => localStorage.getItem(PAGE_KEY) ?? '';

/**
 * The name in the local storage for an unfinished company sign-in. The value contains the page secret of the sign-in,
 * and the path of the page on which the sign-in began. Only pages of this origin can read the page secret, which is
 * needed to finish the sign-in.
 */
export const PENDING = 'parley-pending-sign-in';

/**
 * This module sends the reads that the current page needs first, while the browser still loads the rest of the program.
 * `takeFirstRead` returns their answers to the program.
 */

interface FirstRead {
  readonly answer: Promise<Response>;
  readonly aborting: AbortController;
}

/** Number of events that the page of a session reads at first. */
export const FIRST_EVENTS = 30;
const EVERYWHERE = ['/me', '/inbox?limit=100'];

const SESSION = /^\/owner(\/sessions\/[\w-]+)/;

/** Reads whose answers were not taken yet, by address. */
const sent = new Map<string, FirstRead>();

function sendAll(): void {
  // Without a completed sign-in, the service would refuse every read, so this module sends none.
  if (pageKey() === '' || localStorage.getItem(PENDING) !== null) return;
  const [, session] = SESSION.exec(location.pathname) ?? [];
  const own = session ? [session, `${session}/events?last=${FIRST_EVENTS}`] : [];
  for (const address of [...own, ...EVERYWHERE]) {
    const aborting = new AbortController();
    const headers = { 'Parley-Page-Key': pageKey() };
    const answer = fetch(`${API}${address}`, { headers, signal: aborting.signal });
    // Prevents an unhandled rejection. The error is reported when `takeFirstRead` returns the answer.
    answer.catch(() => undefined);
    sent.set(address, { answer, aborting });
  }
  // If another tab changes the page key, drops the answers in `sent`, because they belong to the previous sign-in.
  addEventListener('storage', ({ key }) => {
    if (key === PAGE_KEY || key === null) sent.clear();
  });
}

/**
 * Returns the answer of a read that this module has sent, or undefined. Each answer is returned only once.
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
