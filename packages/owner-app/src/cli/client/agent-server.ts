import { isLoopback } from '../../text/program-words.ts';
import type { Terminal } from '../terminal.ts';
import { isAddress, serverUrl } from './request.ts';

/** Returns the address of the server from `--url` or `PARLEY_URL`, without `/api/public/…`. */
export function agentServer(
  given: string | undefined,
  { environment, err }: Pick<Terminal, 'environment' | 'err'>,
): string {
  const [text, source] = given === undefined ? [environment.PARLEY_URL, 'PARLEY_URL'] : [given, '--url'];
  const url = withoutEndpoint(serverUrl(text, source));
  if (new URL(url).protocol === 'http:' && !isLoopback(url))
    err(
      `parley: warning: ${url} does not use https, so others on the network can read the token. Use an https: address.`,
    );
  return url;
}

/** Removes the path of an endpoint: `https://host/api/public/mcp` becomes `https://host`. */
export const withoutEndpoint = (url: string): string => url.replace(/\/api\/public(\/(agent|mcp))?$/, '');

/**
 * The address at which a server says that agents reach it, if it is another one than the address that the user gave. Secrets are
 * never sent to it: it is shown only, and marked as what the server says.
 *
 * @param named the member `base_url` or `mcp_url` of an answer
 */
export function addressByServer(named: unknown, url: string): string | undefined {
  if (typeof named !== 'string' || !isAddress(named)) return undefined;
  const address = withoutEndpoint(named);
  return address === url ? undefined : address;
}
