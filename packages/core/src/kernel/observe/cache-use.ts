import type { CacheName } from './observer.ts';

/**
 * Upper bound of the memory that a text takes, in bytes. V8 uses one byte per character if all characters are Latin-1, otherwise
 * two.
 */
export const heapBytes = (text: string): number =>
  Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;

/** The size of one cache of this process, and its limit. */
export interface CacheUse {
  readonly cache: CacheName;
  readonly entries: number;
  readonly bytes: number;
  readonly limitBytes: number;
}

export const cacheUseOf = (
  cache: CacheName,
  {
    size,
    calculatedSize,
    maxSize,
  }: { readonly size: number; readonly calculatedSize: number; readonly maxSize: number },
): CacheUse => ({ cache, entries: size, bytes: calculatedSize, limitBytes: maxSize });
