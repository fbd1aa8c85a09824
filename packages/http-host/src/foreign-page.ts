import type { IncomingMessage } from 'node:http';
import { headerValues } from './header-values.ts';

const OWN = new Set(['same-origin', 'none']);

/**
 * Whether a browser says that a page of another origin sent a request, another port of the same host included. No page
 * can change what its browser says of it.
 *
 * @returns undefined where nothing is said: by old browsers, and by every client that is no browser
 */
export function isFromForeignPage(request: IncomingMessage): boolean | undefined {
  const said = headerValues(request, 'sec-fetch-site');
  return said.length === 0 ? undefined : !said.every((site) => OWN.has(site));
}
