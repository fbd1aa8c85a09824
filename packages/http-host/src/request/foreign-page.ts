import type { IncomingMessage } from 'node:http';
import { headerValues } from './header-values.ts';

const OWN = new Set(['same-origin', 'none']);

/**
 * Whether a page of another origin sent the request, according to the header `Sec-Fetch-Site`. Browsers set this
 * header, and pages cannot change it. Another port of the same host is another origin.
 *
 * @returns undefined if the header is missing, as in old browsers and in clients that are not browsers
 */
export function isFromForeignPage(request: IncomingMessage): boolean | undefined {
  const said = headerValues(request, 'sec-fetch-site');
  return said.length === 0 ? undefined : !said.every((site) => OWN.has(site));
}
