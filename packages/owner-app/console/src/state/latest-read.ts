import type { Signal } from '@preact/signals';
import { ApiError } from '../api/answers.ts';

/**
 * Makes a function that tells whether the answer of a read may replace the shown one. If several reads are in progress,
 * the answer of an earlier read can arrive after the answer of a later read. It is then older than the shown answer.
 *
 * Call the returned function when a read begins. It returns a function to call when the answer has arrived.
 */
export function latestRead(): () => () => boolean {
  let begun = 0;
  let shown = 0;
  return () => {
    begun += 1;
    const mine = begun;
    return () => {
      if (mine < shown) return false;
      shown = mine;
      return true;
    };
  };
}

/**
 * Makes a function that runs reads and stores the error of the latest read in `error`, or null if that read succeeded.
 * Neither the answer nor the error of an earlier read replaces the result of a later read.
 *
 * The returned function passes `isLatest` to the read, which must not show its answer if `isLatest` returns false.
 */
export function latestReads(error: Signal<ApiError | null>) {
  const begin = latestRead();
  return async (read: (isLatest: () => boolean) => Promise<void>): Promise<void> => {
    const isLatest = begin();
    try {
      await read(isLatest);
      if (isLatest()) error.value = null;
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      // A missing sign-in (401) is not shown as an error, because the sign-in dialog reports it.
      if (isLatest()) error.value = thrown.status === 401 ? null : thrown;
    }
  };
}

interface Headed {
  readonly head: { readonly seq: number };
}

/**
 * Returns the newer of two views. If several reads are in progress, the answer that arrives last can contain an older
 * view than an answer before it.
 */
export const newestOf = <T extends Headed>(known: T | null, read: T): T =>
  known !== null && known.head.seq > read.head.seq ? known : read;
