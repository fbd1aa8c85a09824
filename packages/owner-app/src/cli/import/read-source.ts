import { createHash } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { isRecord, readJsonFile } from '@parley/core/json';
import { openRegularFile } from '../../server/access/owner-key.ts';
import type { Json } from '../../text/read-as.ts';
import type { SourceKind } from './draft.ts';
import { addressOf, fetchSource } from './fetch-source.ts';
import { MOST_BYTES, readText, sourceFault, withoutHidden } from './read-text.ts';
import { isRead, type SpecFile, type Specification } from './specification.ts';

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
