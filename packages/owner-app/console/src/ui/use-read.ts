import { useEffect, useState } from 'preact/hooks';
import { ApiError, get } from '../api/client.ts';

/** The answer of the last successful read, and the error of a later read. */
interface Reading<T> {
  readonly value: T | null;
  readonly error: ApiError | null;
}

/**
 * Reads a path, and reads it again if the path or the version changes. Shows the earlier answer until the next one arrives.
 * Drops the answer of a read that was started before a newer one.
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
