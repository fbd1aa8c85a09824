import type { CacheName } from './observer.ts';

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
