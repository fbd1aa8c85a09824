import type { CacheName } from './observer.ts';

/** At most what a text takes in memory: V8 keeps one byte for each character where all are Latin-1, else two. */
export const heapBytes = (text: string): number =>
  Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;

/** What one cache of this process holds now. */
export interface CacheUse {
  readonly cache: CacheName;
  readonly entries: number;
  readonly bytes: number;
  readonly limitBytes: number;
}

/** The use of a cache that is bounded by `maxSize`. */
export const useOf = (
  cache: CacheName,
  {
    size,
    calculatedSize,
    maxSize,
  }: { readonly size: number; readonly calculatedSize: number; readonly maxSize: number },
): CacheUse => ({ cache, entries: size, bytes: calculatedSize, limitBytes: maxSize });
