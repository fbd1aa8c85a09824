import { createHash } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { isRecord, readJsonFile } from '@parley/core/json';
import { openRegularFile } from '../../server/access/owner-key.ts';
import { isPrivateAddress, lookupPublic } from '../../server/notify/post.ts';
import type { Json } from '../../text/read-as.ts';
import { visible } from '../../text/visible.ts';
import { reasonOf } from '../client/answer.ts';
import { type CliError, wrongUsage } from '../exit-codes.ts';
import { isRead, type SourceKind, type SpecFile, type Specification } from './specification.ts';

/** The longest file that is read. */
const MOST_BYTES = 1_000_000;

interface ReadText {
  readonly text: string;
  /** What was left out of the text, in words. */
  readonly left: readonly string[];
}

/**
 * The text in the bytes of a file: with line feeds only, and without byte order mark, front matter and characters that a
 * reader does not see. Agents would read the latter, and the owner who looks at the session would not.
 *
 * @throws CliError with the exit code USAGE if the bytes are no text in UTF-8
 */
function readText(bytes: Uint8Array, name: string): ReadText {
  if (bytes.length > MOST_BYTES)
    throw sourceFault(name, `is longer than ${MOST_BYTES / 1_000_000} MB: give one specification`);
  const decoded = decode(bytes);
  if (decoded === undefined || decoded.includes('\0'))
    throw sourceFault(name, 'is not a text in UTF-8: give Markdown, or the JSON of an issue');
  const { text, hidden } = withoutHidden(decoded);
  const [frontMatter = ''] = /^---\n(?:[^\n]*\n){0,200}?---\n/.exec(text) ?? [];
  return {
    text: text.slice(frontMatter.length),
    left: [
      ...(hidden > 0 ? [`${name}: ${hidden} invisible characters`] : []),
      ...(frontMatter === '' ? [] : [`${name}: the front matter`]),
    ],
  };
}

/** The text with line feeds only and without invisible characters, and how many these are. */
function withoutHidden(given: string): { readonly text: string; readonly hidden: number } {
  const letters = Array.from(given.replaceAll(/\r\n?/g, '\n'));
  const shown = letters.filter((letter) => visible(letter) === letter);
  return { text: shown.join(''), hidden: letters.length - shown.length };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A fault of what `--from` names. */
export const sourceFault = (name: string, what: string): CliError =>
  wrongUsage(`${name} ${what}. Nothing was created.`);

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
async function fetchSource(given: string): Promise<Uint8Array> {
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
function addressOf(given = ''): string | undefined {
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
  const { proxiedFetch, proxyOf } = await import('../client/request.ts');
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

export interface ReadSource extends Specification {
  /** What the session keeps of the source. */
  readonly source: { readonly kind: SourceKind; readonly location: string; readonly sha256: string };
  /** What was left out while reading, in words. */
  readonly left: readonly string[];
}

const MAX_FILES = 100;
const MAX_DEPTH = 4;

/**
 * Reads a specification from a file, a folder, an address, or standard input (`-`), and finds out of which kind it is.
 *
 * @throws CliError with the exit code USAGE if there is none, which says what to give instead
 */
export async function readSource(given: string, input: () => Promise<string>): Promise<ReadSource> {
  if (given === '-') return oneFile(Buffer.from(await input()), 'the standard input', '-');
  if (/^[a-z][\w+.-]+:\/\//i.test(given)) {
    const bytes = await fetchSource(given);
    return oneFile(bytes, basename(new URL(given).pathname) || given, given);
  }
  const entry = await stat(given).catch(() => undefined);
  if (!entry) throw sourceFault(given, `does not exist${/#\d+$/.test(given) ? ISSUE_HINT : ''}`);
  if (entry.isDirectory()) return await folder(given);
  return oneFile(await bytesOf(given, given), basename(given), given);
}

const ISSUE_HINT =
  ': for an issue, give its data, such as gh issue view 12 --json title,body,url | parley create --from -';

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

function oneFile(bytes: Uint8Array, name: string, location: string): ReadSource {
  const { text, left } = readText(bytes, name);
  const issue = issueIn(text, name);
  const read = issue
    ? { kind: 'issue' as const, ...issue }
    : { kind: kindOf(text), text, name: undefined, url: undefined };
  const source = {
    kind: read.kind,
    location: addressOf(location === '-' ? read.url : location) ?? location,
    sha256: sha256(bytes),
  };
  return { kind: read.kind, files: [{ path: name, text: read.text }], name: read.name, source, left };
}

/** The title and the text of an issue or a pull request, as `gh` and `glab` print them. Undefined if it is no JSON. */
function issueIn(text: string, name: string): { name: string; text: string; url: string | undefined } | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const { value, fault } = readJsonFile(text);
  // A list of Markdown may begin with a bracket, such as that of a link.
  if (fault !== undefined && !/^\s*(?:\{|\[\s*\{)/.test(text)) return undefined;
  if (fault !== undefined) throw sourceFault(name, fault);
  if (isRecord(value) && (isRecord(value.session) || Array.isArray(value.requirements)))
    throw sourceFault(name, 'is a session, not a specification: give it to --file');
  const title = isRecord(value) ? textIn(value, 'title') : undefined;
  if (!isRecord(value) || title === undefined)
    throw sourceFault(
      name,
      'is JSON, but no issue with a title: give one issue, such as gh issue view 12 --json title,body,url prints it',
    );
  return {
    name: withoutHidden(title).text,
    text: withoutHidden(textIn(value, 'body') ?? textIn(value, 'description') ?? '').text,
    url: textIn(value, 'url') ?? textIn(value, 'html_url') ?? textIn(value, 'web_url'),
  };
}

const textIn = (record: Json, member: string): string | undefined => {
  const value = record[member];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
};

/** Recognizes a text by the headings that its tool writes. */
function kindOf(text: string): SourceKind {
  if (/^#{2,4} Requirement:/m.test(text)) return 'openspec';
  if (/^# Feature Specification\b|^#{2,3} User Scenarios/m.test(text)) return 'spec-kit';
  if (/^# Requirements Document\b/m.test(text) || /^#{2,4} Requirement \d/m.test(text)) return 'kiro';
  return 'markdown';
}

async function folder(given: string): Promise<ReadSource> {
  const all = await pathsIn(given);
  const kind = await kindOfFolder(given, all);
  const paths = kind === 'markdown' ? all.filter(isMarkdown) : all.filter((path) => isRead(kind, path));
  const files: SpecFile[] = [];
  const sums: string[] = [];
  const left: string[] = [];
  for (const path of paths) {
    const bytes = await bytesOf(await inside(given, path), join(given, path));
    const read = readText(bytes, path);
    files.push({ path, text: read.text });
    sums.push(`${sha256(bytes)}  ${path}\n`);
    left.push(...read.left);
  }
  const source = { kind, location: given, sha256: sha256(sums.join('')) };
  return { kind, files, name: basename(resolve(given)), source, left };
}

async function kindOfFolder(given: string, paths: readonly string[]): Promise<SourceKind> {
  const has = (path: string): boolean => paths.includes(path);
  if (has('proposal.md') || paths.some((path) => /^specs\/.+\/spec\.md$/.test(path) && !/^specs\/\d+-/.test(path)))
    return 'openspec';
  if (has('spec.md'))
    return kindOf(readText(await bytesOf(await inside(given, 'spec.md'), join(given, 'spec.md')), 'spec.md').text) ===
      'openspec'
      ? 'openspec'
      : 'spec-kit';
  if (has('requirements.md')) return 'kiro';
  if (paths.filter(isMarkdown).length === 1) return 'markdown';
  const below = paths.find((path) => /\/(?:spec|proposal|requirements)\.md$/.test(path));
  const hint = below === undefined ? '' : `, such as ${join(given, below.slice(0, below.lastIndexOf('/')))}`;
  throw sourceFault(
    given,
    `contains no spec.md (Spec Kit), proposal.md (OpenSpec) or requirements.md (Kiro): give the folder of one specification${hint}`,
  );
}

const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);

/** The Markdown files in a folder and the folders in it, sorted. Folders behind a link are not entered. */
async function pathsIn(given: string, below = '', depth = 0): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(join(given, below), { withFileTypes: true });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = below ? `${below}/${entry.name}` : entry.name;
    if (entry.isDirectory() && depth < MAX_DEPTH && entry.name !== 'node_modules' && entry.name !== '.git')
      found.push(...(await pathsIn(given, path, depth + 1)));
    else if (!entry.isDirectory() && isMarkdown(path)) found.push(path);
    if (found.length > MAX_FILES)
      throw sourceFault(given, `contains more than ${MAX_FILES} files: give the folder of one specification`);
  }
  return found;
}

/** The real path of a file of a folder. */
async function inside(given: string, path: string): Promise<string> {
  const [root, file] = [await realpath(given), await realpath(join(given, path)).catch(() => '')];
  if (!file.startsWith(root.endsWith(sep) ? root : `${root}${sep}`))
    throw sourceFault(join(given, path), 'is a link that leads out of the folder: replace it by the file');
  return file;
}

async function bytesOf(path: string, name: string): Promise<Uint8Array> {
  const file = await openRegularFile(path).catch((error: unknown) => {
    throw sourceFault(name, `cannot be read (${error instanceof Error ? error.message : String(error)})`);
  });
  if (!file) throw sourceFault(name, 'does not exist');
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of file.createReadStream({ end: MOST_BYTES, autoClose: false })) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}
