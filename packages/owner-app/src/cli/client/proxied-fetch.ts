import type { ProxyAgent } from 'undici';
import { isLoopback } from '../../text/program-words.ts';
import { CliError, EXIT } from '../exit-codes.ts';

/** A proxy of the environment. The address may contain a password, so it is never printed. */
interface Proxy {
  /** The variable that names the proxy. */
  readonly variable: string;
  readonly address: string;
}

/**
 * `fetch` through the proxy that the environment names: `HTTPS_PROXY` or `HTTP_PROXY`, by the scheme of the address,
 * unless `NO_PROXY` lists its host. The names in lower case count first, as for curl.
 *
 * @throws CliError with the exit code USAGE if a variable is not the address of a proxy
 */
export async function proxiedFetch(url: string, init: RequestInit): Promise<Response> {
  const proxy = proxyOf(url);
  if (!proxy) return fetch(url, init);
  // Its own `fetch` is used too, because that of a later Node does not fit the agent. Imported for a proxy only, so that
  // commands start faster.
  const undici = await import('undici');
  const agent = agents.get(proxy.address) ?? new undici.ProxyAgent(proxy.address);
  agents.set(proxy.address, agent);
  return undici.fetch(url, { ...init, dispatcher: agent });
}

const agents = new Map<string, ProxyAgent>();

/**
 * The proxy for an address. None for this machine: a proxy would reach itself there, and many environments name a proxy
 * and leave `NO_PROXY` empty.
 */
export function proxyOf(url: string): Proxy | undefined {
  const { protocol, host } = new URL(url);
  if (isLoopback(url) || isDirect(host)) return undefined;
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const variable = [`${scheme}_proxy`, `${scheme}_proxy`.toUpperCase()].find((name) => process.env[name]);
  const given = process.env[variable ?? ''];
  if (variable === undefined || given === undefined) return undefined;
  const address = given.includes('://') ? given : `http://${given}`;
  if (/^https?:/i.test(address) && URL.canParse(address)) return { variable, address };
  throw new CliError(
    EXIT.USAGE,
    `${variable} is not the address of a proxy; expected an address such as http://proxy.example:3128.`,
  );
}

/** Whether `NO_PROXY` lists a host: a name with all names below it, with or without a port, or `*`. */
function isDirect(host: string): boolean {
  const listed = (process.env.no_proxy || process.env.NO_PROXY || '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const forms = [host, host.replace(/:\d+$/, '')];
  return listed.some((entry) => {
    const name = entry.replace(/^\*?\./, '');
    return entry === '*' || forms.some((form) => form === name || form.endsWith(`.${name}`));
  });
}
