import type { OwnerCallName, OwnerInput } from '@parley/core/client';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { call, signIns } from '../../api/client.ts';

/** The answer of the last successful read, and the error of a later read that has failed. */
interface Reading<T> {
  readonly value: T | null;
  readonly error: ApiError | null;
}

/**
 * Makes a call that reads, as `useRead` does.
 *
 * @param input null reads nothing
 */
export function useCall<N extends OwnerCallName>(name: N, input: OwnerInput<N> | null, version: number) {
  const key = input && `${name} ${JSON.stringify(input)}`;
  return useRead(key, () => call(name, input ?? undefined), version);
}

/**
 * Reads when the key or the version changes, and after a sign-in. Until the next answer arrives, returns the earlier answer
 * of the same key. Ignores an answer that arrives after a newer read was started.
 *
 * @param key what is read; null reads nothing
 */
export function useRead<T>(key: string | null, read: () => Promise<T>, version: number): Reading<T> {
  const [reading, setReading] = useState<Reading<T> & { readonly key: string | null }>({
    key: null,
    value: null,
    error: null,
  });
  const signedIn = signIns.value;
  useEffect(() => {
    if (key === null) return undefined;
    let isStale = false;
    read()
      .then((value) => {
        if (!isStale) setReading({ key, value, error: null });
      })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        // After the sign-in has ended, no error is shown here, because the sign-in dialog reports it.
        if (!isStale && error.status !== 401) setReading((earlier) => ({ ...earlier, error }));
      });
    return () => {
      isStale = true;
    };
  }, [key, version, signedIn]);
  return reading.key === key ? reading : { value: null, error: reading.error };
}
