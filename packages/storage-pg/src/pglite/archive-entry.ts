/** Size of a block of a tar archive, in bytes. */
export const BLOCK = 512;

export interface ArchiveEntry {
  /** Path relative to the data folder. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Size in bytes. 0 for a folder. */
  readonly size: number;
}

const FILE_TYPES = ['0', ''];
const FOLDER_TYPE = '5';
/** Matches the names that files and folders in a data folder of PostgreSQL can have. */
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,99}$/;

/**
 * Parses the header of an entry. Refuses links, devices and names that lead out of the folder, because no data folder
 * contains them.
 *
 * @param head the block of the header
 * @throws Error that names the entry
 */
export function readEntry(head: Buffer): ArchiveEntry {
  const name = fieldOf(head, 0, 100);
  const parts = name.split('/').filter((part) => part !== '');
  const shown = JSON.stringify(name);
  if (Number.parseInt(fieldOf(head, 148, 8), 8) !== checksumOf(head))
    throw new Error(`The archive is damaged: the checksum of ${shown} does not match.`);
  if (parts.length === 0 || !parts.every((part) => NAME.test(part)) || fieldOf(head, 345, 155) !== '')
    throw new Error(`The archive is not a backup of Parley: it contains ${shown}, which no data folder contains.`);
  const type = fieldOf(head, 156, 1);
  const isFolder = type === FOLDER_TYPE;
  if (!isFolder && !FILE_TYPES.includes(type))
    throw new Error(
      `The archive is not a backup of Parley: it contains ${shown}, which is neither a file nor a folder.`,
    );
  const size = fieldOf(head, 124, 12).trim();
  if (!/^[0-7]{1,12}$/.test(size)) throw new Error(`The archive is damaged: the size of ${shown} is not a number.`);
  return { path: parts.join('/'), isFolder, size: isFolder ? 0 : Number.parseInt(size, 8) };
}

const fieldOf = (head: Buffer, at: number, length: number): string =>
  head.toString('latin1', at, at + length).split('\0')[0] ?? '';

/** Computes the checksum of a header: the sum of all its bytes. The bytes of the stored checksum count as spaces. */
function checksumOf(head: Buffer): number {
  let sum = 8 * 32;
  for (const [index, byte] of head.entries()) if (index < 148 || index >= 156) sum += byte;
  return sum;
}
