import { isPrivateAddress, lookupPublic } from '../../server/notify/public-hosts.ts';
import { MOST_BYTES, sourceFault } from './read-text.ts';

const TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 5;
const TAKEN = /^(?:text\/(?:markdown|x-markdown|plain)|application\/(?:[\w.-]+\+)?json|application\/octet-stream)\b/i;
const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/;
/** Pages of issues, which show their text to people only. The last group is their number. */
const ISSUE_PAGE = /^\/([^/]+\/[^/]+)(?:\/-)?\/(issues|pull|merge_requests|work_items)\/(\d+)\/?$/;

/**
 * Reads a specification at an address: over https, or over http from this machine. The address may be that of a private
 * host, because a person names it; a redirect may lead to another host only if that host is public.
 *
 * @throws CliError with the exit code USAGE if there is no such text, which says what to give instead
 */
export async function fetchSource(given: string): Promise<Uint8Array> {
  const first = parsed(given, given);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await request(url, url.host === first.host, signal).catch((error: unknown) => {
      throw sourceFault(
        given,
        signal.aborted ? `did not answer within ${TIMEOUT_MS / 1000} s` : `cannot be read (${reasonOf(error)})`,
      );
    });
    const next = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || next === null) return await bodyOf(response, given);
    await response.body?.cancel();
    url = parsed(new URL(next, url).href, given);
    if (url.host !== first.host && isPrivateAddress(url))
      throw sourceFault(given, 'leads to a host that is not public');
  }
  throw sourceFault(given, `leads through more than ${MAX_REDIRECTS} redirects: give the last address`);
}

/** An address of http as it is kept in the session: a query may contain a token. Undefined for any other text. */
export function addressOf(given = ''): string | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  return url && /^https?:$/.test(url.protocol) ? `${url.origin}${url.pathname}` : undefined;
}

function parsed(address: string, given: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLocal = url?.protocol === 'http:' && LOOPBACK.test(url.hostname) && LOOPBACK.test(new URL(given).hostname);
  if (!url || !(url.protocol === 'https:' || isLocal))
    throw sourceFault(shown(given), 'is not an address that begins with https');
  if (url.username !== '' || url.password !== '')
    throw sourceFault(shown(given), 'contains a user name or a password: save the text, and give the file');
  const [, repository, kind, number] = ISSUE_PAGE.exec(url.pathname) ?? [];
  if (repository !== undefined)
    throw sourceFault(
      address,
      `is a page for people. Give its data: ${issueCommand(kind ?? '', number ?? '', url.href)}`,
    );
  return url;
}

/** The address without what may be secret in it. */
const shown = (given: string): string => given.replace(/\/\/[^/@]*@/, '//…@').replace(/[?#].*$/, '');

const issueCommand = (kind: string, number: string, address: string): string => {
  if (kind === 'merge_requests') return `glab mr view ${number} -F json | parley create --from -`;
  if (kind === 'work_items' || address.includes('/-/'))
    return `glab issue view ${number} -F json | parley create --from -`;
  return `gh ${kind === 'pull' ? 'pr' : 'issue'} view ${address} --json title,body,url | parley create --from -`;
};

/** Through the proxy of the environment, if it names one; else to the addresses that were judged. */
async function request(url: URL, isNamed: boolean, signal: AbortSignal): Promise<Response> {
  const init: RequestInit = {
    redirect: 'manual',
    signal,
    headers: { accept: 'text/markdown, text/plain, application/json' },
  };
  const { proxiedFetch, proxyOf } = await import('../client/proxied-fetch.ts');
  if (isNamed || proxyOf(url.href)) return await proxiedFetch(url.href, init);
  const undici = await import('undici');
  const dispatcher = new undici.Agent({ connect: { lookup: lookupPublic } });
  return undici.fetch(url.href, { ...init, dispatcher });
}

async function bodyOf(response: Response, given: string): Promise<Uint8Array> {
  const type = response.headers.get('content-type') ?? '';
  const fault = (what: string): never => {
    void response.body?.cancel();
    throw sourceFault(given, what);
  };
  if (response.status !== 200)
    return fault(`answered ${response.status}: check the address, or save the text and give the file`);
  if (!TAKEN.test(type))
    return fault(
      `is no Markdown and no JSON${type && `, but ${type.split(';')[0]}`}: give the address of the text itself, such as that of the button Raw`,
    );
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MOST_BYTES) return fault(`is longer than ${MOST_BYTES / 1_000_000} MB: give one specification`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code || (cause instanceof Error ? cause.message : String(cause));
}
