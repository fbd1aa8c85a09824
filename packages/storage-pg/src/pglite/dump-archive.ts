import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const BLOCK = 512;
const unzip = promisify(gunzip);

/**
 * Opens the compressed archive of a data folder and looks whether it is one. PGlite itself would fail outside of any
 * call that could be waited for.
 *
 * @returns the plain archive
 * @throws Error when it is damaged, something else, or of another PostgreSQL
 */
export async function openDump(dump: Blob, major: string): Promise<Blob> {
  const archive = await unzip(await dump.arrayBuffer()).catch(() => {
    throw new Error('This is no dump of an embedded database, or a damaged one.');
  });
  const found = textOf(archive, 'PG_VERSION')?.trim();
  if (found === undefined) throw new Error('This archive holds no embedded database.');
  if (found !== major) throw new Error(`The dump is of PostgreSQL ${found}; this program opens ${major} only.`);
  return new Blob([archive]);
}

/** The text of a file at the top of a tar archive: its header, then its content, each in whole blocks. */
function textOf(archive: Buffer, file: string): string | undefined {
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const name = fieldOf(archive, at, 100);
    if (name === '') return undefined;
    const size = Number.parseInt(fieldOf(archive, at + 124, 12), 8) || 0;
    const start = at + BLOCK;
    if (/^\.?\/?([^/]+\/)?([^/]+)$/.exec(name)?.[2] === file) return archive.toString('utf8', start, start + size);
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return undefined;
}

const fieldOf = (archive: Buffer, at: number, length: number): string =>
  archive.toString('latin1', at, at + length).split('\0')[0] ?? '';
