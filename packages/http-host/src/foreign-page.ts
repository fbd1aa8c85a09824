import type { IncomingMessage } from 'node:http';
import { headerValues } from './header-values.ts';

const OWN = new Set(['same-origin', 'none']);

/**
 * Whether a browser reports that a page of another origin sent a request. Another port of the same host is another origin. A
 * page cannot change the report of its browser.
 *
 * @returns undefined if nothing is reported, as by old browsers and by every client that is not a browser
 */
export function isFromForeignPage(request: IncomingMessage): boolean | undefined {
  const said = headerValues(request, 'sec-fetch-site');
  return said.length === 0 ? undefined : !said.every((site) => OWN.has(site));
}
