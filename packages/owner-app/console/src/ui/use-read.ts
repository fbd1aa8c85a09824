import { useEffect, useState } from 'preact/hooks';
import { ApiError, get } from '../api/client.ts';

/** What a read gave last, and what it was refused with since. */
interface Reading<T> {
  readonly value: T | null;
  readonly error: ApiError | null;
}

/**
 * Reads again whenever the address or the version changes; an earlier answer stays on the screen until the next is
 * there, and one that comes too late is dropped.
 *
 * @param path null reads nothing
 */
export function useRead<T>(path: string | null, version: number): Reading<T> {
  const [reading, setReading] = useState<Reading<T> & { readonly path: string | null }>({
    path: null,
    value: null,
    error: null,
  });
  useEffect(() => {
    if (path === null) return undefined;
    let isStale = false;
    get<T>(path)
      .then((value) => {
        if (!isStale) setReading({ path, value, error: null });
      })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        if (!isStale) setReading((earlier) => ({ ...earlier, error }));
      });
    return () => {
      isStale = true;
    };
  }, [path, version]);
  return reading.path === path ? reading : { value: null, error: reading.error };
}
