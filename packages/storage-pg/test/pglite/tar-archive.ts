import { gzipSync } from 'node:zlib';

/** A file or folder of an archive, valid or as an attacker would make it. */
export interface Entry {
  readonly name: string;
  readonly text?: string;
  /** The type flag in the header: a file by default, `5` for a folder, `1` and `2` for links. */
  readonly type?: string;
  /** The size in the header. Default: the length of the text. */
  readonly size?: number;
}

/** A compressed tar archive with correct checksums. */
export const archiveOf = (...entries: readonly Entry[]): Buffer =>
  gzipSync(Buffer.concat([...entries.map(bytesOf), Buffer.alloc(1_024)]));

function bytesOf({ name, text = '', type = '0', size = text.length }: Entry): Buffer {
  const bytes = Buffer.alloc(512 + Math.ceil(text.length / 512) * 512);
  bytes.write(name, 0);
  bytes.write(size.toString(8).padStart(11, '0'), 124);
  bytes.write(' '.repeat(8), 148);
  bytes.write(type, 156);
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  bytes.write(text, 512);
  return bytes;
}
