import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { get, signIns } from '../../api/client.ts';

/** The answer of the last successful read, and the error of a later read that has failed. */
interface Reading<T> {
  readonly value: T | null;
  readonly error: ApiError | null;
}

/**
 * Reads a path. Reads it again when the path or the version changes, and after a sign-in. Until the next answer
 * arrives, returns the earlier answer of the same path. Ignores an answer that arrives after a newer read was started.
 *
 * @param path null reads nothing
 */
export function useRead<T>(path: string | null, version: number): Reading<T> {
  const [reading, setReading] = useState<Reading<T> & { readonly path: string | null }>({
    path: null,
    value: null,
    error: null,
  });
  const signedIn = signIns.value;
  useEffect(() => {
    if (path === null) return undefined;
    let isStale = false;
    get<T>(path)
      .then((value) => {
        if (!isStale) setReading({ path, value, error: null });
      })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        // After the sign-in has ended, no error is shown here, because the sign-in dialog reports it.
        if (!isStale && error.status !== 401) setReading((earlier) => ({ ...earlier, error }));
      });
    return () => {
      isStale = true;
    };
  }, [path, version, signedIn]);
  return reading.path === path ? reading : { value: null, error: reading.error };
}
