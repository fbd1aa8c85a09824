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
