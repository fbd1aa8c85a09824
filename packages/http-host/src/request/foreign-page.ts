import type { IncomingMessage } from 'node:http';
import { headerValues } from './header-values.ts';

const OWN = new Set(['same-origin', 'none']);

/**
 * Whether a page of another origin sent the request, as the browser reports it; a page cannot change that report. Another
 * port of the same host is another origin.
 *
 * @returns undefined without a report; old browsers and clients that are not browsers send none
 */
export function isFromForeignPage(request: IncomingMessage): boolean | undefined {
  const said = headerValues(request, 'sec-fetch-site');
  return said.length === 0 ? undefined : !said.every((site) => OWN.has(site));
}
