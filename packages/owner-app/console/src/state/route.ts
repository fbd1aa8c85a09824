import { computed, signal } from '@preact/signals';

const BASE = '/owner/';

/** The path of the current page, below `/owner/`. */
const path = signal(below(location.pathname));

function below(pathname: string): string {
  return pathname.startsWith(BASE) ? pathname.slice(BASE.length) : '';
}

export const TABS = ['transcript', 'contract', 'verify', 'people', 'log'] as const;
export type Tab = (typeof TABS)[number];

export type Route =
  | { readonly page: 'sessions' }
  | { readonly page: 'new' }
  | { readonly page: 'session'; readonly sessionId: string; readonly tab: Tab }
  | { readonly page: 'nowhere' };

export const route = computed<Route>(() => {
  // A slash at the end is ignored, because some programs append one to an address.
  const [first = '', sessionId = '', tab = 'transcript', ...rest] = path.value.replace(/\/$/, '').split('/');
  if (first === '') return { page: 'sessions' };
  if (first === 'new' && sessionId === '') return { page: 'new' };
  const known = TABS.find((candidate) => candidate === tab);
  if (first === 'sessions' && sessionId !== '' && known && rest.length === 0)
    return { page: 'session', sessionId, tab: known };
  return { page: 'nowhere' };
});

export const toSessions = (): string => BASE;
export const toNew = (): string => `${BASE}new`;
export const toSession = (sessionId: string, tab?: Tab): string =>
  `${BASE}sessions/${encodeURIComponent(sessionId)}${tab && tab !== 'transcript' ? `/${tab}` : ''}`;

/** Navigates to an address of the console without loading the page again. */
export function go(address: string): void {
  if (address !== location.pathname) history.pushState(null, '', address);
  path.value = below(location.pathname);
  scrollTo(0, 0);
}

addEventListener('popstate', () => {
  path.value = below(location.pathname);
});
