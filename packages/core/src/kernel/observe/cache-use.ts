import type { CacheName } from './observer.ts';

/** Upper bound of a text's memory in bytes: V8 uses one byte per character if all are Latin-1, else two. */
export const heapBytes = (text: string): number =>
  Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;

/** Current contents of one cache of this process. */
export interface CacheUse {
  readonly cache: CacheName;
  readonly entries: number;
  readonly bytes: number;
  readonly limitBytes: number;
}

/** The current entries and bytes of a cache that was created with a `maxSize`. */
export const useOf = (
  cache: CacheName,
  {
    size,
    calculatedSize,
    maxSize,
  }: { readonly size: number; readonly calculatedSize: number; readonly maxSize: number },
): CacheUse => ({ cache, entries: size, bytes: calculatedSize, limitBytes: maxSize });
