/** Path of the owner API. */
export const API = '/owner/api';

/**
 * The key under which the local storage contains the page key. A sign-in consists of this page key and a cookie. The
 * browser sends the cookie to every server on this host, but only pages of this origin can read the page key.
 */
export const PAGE_KEY = 'parley-page-key';

export const pageKey = (): string => localStorage.getItem(PAGE_KEY) ?? '';

/**
 * The key under which the local storage contains an unfinished sign-in at the provider: the page secret, and the page to which
 * the browser returns. Only pages of this origin can read the page secret, and the sign-in cannot be finished without it.
 */
export const PENDING = 'parley-pending-sign-in';
