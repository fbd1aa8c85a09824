import { useEffect, useState } from 'preact/hooks';
import { ApiError, get } from '../api/client.ts';

/** The last answer to a read, and the error of a later try. */
interface Reading<T> {
  readonly value: T | null;
  readonly error: ApiError | null;
}

/**
 * Reads again if the path or the version changes. The earlier answer stays until the next one arrives; an answer to an
 * older read is dropped.
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
