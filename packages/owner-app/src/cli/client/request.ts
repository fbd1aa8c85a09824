import type { ProxyAgent } from 'undici';
import { SILENCE_MS } from '../../text/event-stream.ts';
import { isLoopback } from '../../text/joining.ts';
import { type Json, readAs } from '../../text/read-as.ts';
import { noteServerTime } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { CliError, EXIT, wrongUsage } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import {
  type AnswerBody,
  brokenOff,
  containsSecret,
  isCut,
  parseAnswer,
  readText,
  reasonOf,
  streamEvents,
  streamFile,
} from './answer.ts';

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
  throw wrongUsage(`${variable} is not the address of a proxy; expected an address such as http://proxy.example:3128.`);
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

export const DEFAULT_URL = 'http://127.0.0.1:4100';

/** A request with the key, the token or the code that it contains. A server may put this secret into its answers. */
export interface Sent extends RequestInit {
  readonly secret: string;
}

/** Characters of addresses that mean nothing to a shell, to a settings file or to a terminal. */
const ADDRESS = /^https?:\/\/[\w.:[\]-]+(?:\/[\w.~%/-]*)?$/;

/** Whether a text is an http or https address without a user, a query, or characters with a meaning for a shell. */
export const isAddress = (text: string): boolean => ADDRESS.test(text) && URL.canParse(text);

/**
 * Returns the address of a server without its last slashes, or the default address if none is given. Refuses a text
 * that is not an http or https address.
 *
 * @param source the variable or flag that contains the address, for the error message
 */
export function serverUrl(given: string | undefined, source = 'PARLEY_URL'): string {
  const url = given || DEFAULT_URL;
  if (isAddress(url)) return url.replace(/\/+$/, '');
  const shown = JSON.stringify(url.replace(/^.*@/s, '***@'));
  throw wrongUsage(`${source} is ${shown}; expected an address such as ${DEFAULT_URL}.`);
}

/**
 * Sends a request and reads the answer, at most 16 MB. Rejects with CliError if no server answers, if the answer is too
 * long or breaks off, if its status is not 2xx, or if it is not a JSON object: a page with the status 200 is no success of a
 * command. The secret of the request is replaced in the answer and in the error.
 */
export async function requestJson(url: string, path: string, sent: Sent): Promise<Json> {
  const body = await open(url, path, sent);
  const text = await readText(body);
  const answer = parseAnswer(text, sent.secret);
  if (answer) return answer;
  if (isCut(text)) throw brokenOff(url, 'it ends in the middle of its JSON');
  throw new CliError(
    EXIT.REFUSED,
    `The server at ${url} is not a Parley server: its answer is not a JSON object. Give the address of the Parley server with PARLEY_URL or --url.`,
    undefined,
    body.response.status,
  );
}

/** Sends a request and yields the answer, which consists of JSON lines or server-sent events. Rejects like `requestJson`. */
export async function requestStream(
  url: string,
  path: string,
  { kind, ...sent }: Sent & { readonly kind: 'events' | 'file' },
): Promise<AsyncGenerator<Uint8Array>> {
  const body = await open(url, path, sent, AbortSignal.timeout(SILENCE_MS));
  return kind === 'events' ? streamEvents(body) : streamFile(body, sent.secret);
}

/** @param headers ends the request if it has no answer yet. The body may take longer */
async function open(url: string, path: string, { secret, ...init }: Sent, headers?: AbortSignal): Promise<AnswerBody> {
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, ...(init.signal ? [init.signal] : [])]);
  const giveUp = (): void => abort.abort(headers?.reason);
  headers?.addEventListener('abort', giveUp);
  const response = await reach(url, path, { ...init, signal });
  headers?.removeEventListener('abort', giveUp);
  const answer = { url, response, abort };
  if (response.ok) return answer;
  if (response.status >= 300 && response.status < 400)
    throw redirected(answer, response.headers.get('location') ?? '', secret);
  const refusal = refusalIn(parseAnswer(await readText(answer), secret) ?? {});
  const body = { ...retryAfter(response), ...refusal };
  throw new CliError(
    response.status === 401 ? EXIT.NO_KEY : EXIT.REFUSED,
    refusalText(response.status, body),
    body,
    response.status,
  );
}

/** What a refusal by a proxy says only in the header: after how many seconds the request can be sent again. */
function retryAfter({ headers }: Response): Json {
  const seconds = Number(headers.get('retry-after'));
  return seconds > 0 ? { retry_after_seconds: seconds } : {};
}

/** A redirect is not followed: the request would take a key, a token or a code to another address. */
function redirected({ url, abort, response }: AnswerBody, location: string, secret: string): CliError {
  abort.abort();
  const target = URL.canParse(location, url) ? new URL(location, url).origin : '';
  const place = isAddress(target) && target !== url && !containsSecret(target, secret) ? ` to ${target}` : '';
  return new CliError(
    EXIT.REFUSED,
    `${url} redirects${place}. A redirect is not followed. Set PARLEY_URL or --url to the address of the server itself.`,
    undefined,
    response.status,
  );
}

/** Codes of certificates that no known authority has signed. */
const UNTRUSTED = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
];

async function reach(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await proxiedFetch(`${url}${path}`, { ...init, redirect: 'manual' });
    noteServerTime(response);
    return response;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT.UNREACHABLE, unreachableText(url, reasonOf(error)));
  }
}

/** What to look at if the request went through a proxy. */
function proxyHint(url: string): string {
  const proxy = proxyOf(url);
  return proxy ? ` ${proxy.variable} is set: check this proxy, or list the host in NO_PROXY.` : '';
}

function unreachableText(url: string, reason: string): string {
  if (UNTRUSTED.includes(reason))
    return `The certificate of ${url} is not trusted (${reason}). If a private authority signed it, set NODE_EXTRA_CA_CERTS to the file with the certificate of that authority (PEM).`;
  if (reason.startsWith('CERT_') || reason.startsWith('ERR_TLS_'))
    return `The certificate of ${url} is not valid (${reason}). Use the host name of the certificate, or renew the certificate.`;
  return `No server answers at ${url} (${reason}). Start a server with parley serve, or set PARLEY_URL to the address of your server.${proxyHint(url)}`;
}

function refusalText(status: number, body: Json): string {
  const lines = issueLines(body);
  const said = readAs(body, { error: 'text', message: 'text', hint: 'text', trace_id: 'text' });
  const message = lines.length > 1 ? lines.join('\n  ') : visibleLine(said.message) || 'no reason given';
  const text = `${visibleLine(said.error) || `HTTP ${status}`}: ${message}`;
  const trace = visibleLine(said.trace_id);
  return [text, visibleLine(said.hint), trace && `trace_id ${trace}`].filter(Boolean).join('\n');
}

/** The error object in the body of a refused request. A JSON-RPC body contains the error object in `error.data`. */
function refusalIn(body: Json): Json {
  const { error } = readAs(body, { error: 'record' });
  return error.data === undefined ? body : readAs(error, { data: 'record' }).data;
}

/** A line for each issue of an input, because the message of the error describes only the first issue. */
function issueLines({ issues, issues_total: total }: Json): string[] {
  if (!Array.isArray(issues)) return [];
  const lines = issues
    .map((issue) => readAs(issue, { path: 'text', message: 'text' }))
    .map(({ path, message }) => visibleLine(`${path}: ${message}`));
  return typeof total === 'number' ? [...lines, `and ${total - lines.length} more invalid fields`] : lines;
}

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
