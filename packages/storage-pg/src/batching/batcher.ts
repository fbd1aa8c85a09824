/*
 * Sends requests that wait at the same time in one statement, a batch. A request is in one of these states:
 *
 * - waiting: the request was added and is in no batch yet. Waiting requests are kept in the order of their arrival.
 * - in flight: the request is part of a batch that was sent.
 * - settled: the request is resolved or rejected. This is final.
 *
 * A request changes its state twice:
 *
 * - waiting → in flight: at the end of the current iteration of the event loop. While another batch is in flight, only
 *   when 16 requests wait, or 10 ms after that batch was sent.
 * - in flight → settled: when the statement ends. Each request gets its own outcome. If the whole statement fails, all
 *   of its requests are rejected with that error.
 *
 * Cannot happen: more than `maxInFlight` batches in flight; a batch of more than `maxBatchSize` requests or, after its
 * first request, of more than a million characters; two requests with the same key in flight; a request sent before an
 * earlier request with the same key; a request sent twice.
 */

/** The kinds of calls that are batched. */
export type GroupedCall = 'append' | 'fetch' | 'count';

/** Called when a batch is sent. `size` is the number of calls of this kind in its statement. */
export type GroupListener = (call: GroupedCall, size: number) => void;

export interface BatchSettings {
  /** Maximum number of batches in flight. */
  readonly maxInFlight: number;
  /** Maximum number of requests in a batch. */
  readonly maxBatchSize: number;
  /** Called when a batch is sent, with the number of its requests. */
  readonly onGroup?: ((size: number) => void) | undefined;
}

export interface BatchWork<Q, A> {
  /**
   * The key of a request. Two requests with the same key are never in flight at the same time. Without this function,
   * any requests can be in flight together.
   */
  keyOf?(request: Q): string;
  /** Estimated number of characters that a request adds to the statement. Absent if the number is always small. */
  charsOf?(request: Q): number;
  /** Sends a batch as one statement. From this call on, the batch is complete: later requests go into another batch. */
  send(group: readonly Q[]): Promise<readonly PromiseSettledResult<A>[]>;
}

interface Waiting<Q, A> {
  readonly request: Q;
  readonly key: string | undefined;
  readonly chars: number;
  resolve(answer: A): void;
  reject(reason: unknown): void;
}

/** Maximum number of characters in a batch, which limits the size of a statement. */
const GROUP_CHARS = 1_000_000;
/**
 * While a batch is in flight, a second batch starts at once only if at least this number of requests wait. If fewer
 * requests wait, the second batch starts later and is larger, which halves the cost of each request.
 */
const ENOUGH = 16;
/**
 * Maximum milliseconds for which fewer than `ENOUGH` requests wait for the batch in flight to end. After that, they are
 * sent in another batch, because the connection of the batch in flight may hang.
 */
const PATIENCE_MS = 10;

/**
 * Creates a batcher. Requests of the same iteration of the event loop are sent together. While a batch is in flight,
 * new requests wait and form the next batch. If at least `ENOUGH` requests wait, a second batch is sent at once.
 *
 * @returns the function that adds a request; it resolves with the answer to that request
 */
export function openBatcher<Q, A>(
  { maxInFlight, maxBatchSize, onGroup }: BatchSettings,
  work: BatchWork<Q, A>,
): (request: Q) => Promise<A> {
  const busy = new Set<string>();
  let waiting: Waiting<Q, A>[] = [];
  let free = maxInFlight;
  let isScheduled = false;
  let sentAt = 0;
  let willLookAgain = false;
  const enough = Math.min(ENOUGH, maxBatchSize);

  function schedule(): void {
    if (isScheduled || free === 0 || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    isScheduled = false;
    while (free > 0 && waiting.length > 0) {
      const patience = free === maxInFlight || waiting.length >= enough ? 0 : sentAt + PATIENCE_MS - performance.now();
      if (patience > 0) {
        lookAgain(patience);
        return;
      }
      const share = waiting.length < 2 * enough ? waiting.length : Math.ceil(waiting.length / free);
      const { group, rest } = pickGroup(waiting, Math.min(maxBatchSize, share), busy);
      waiting = rest;
      if (group.length === 0) return;
      void run(group);
    }
  }

  function lookAgain(ms: number): void {
    if (willLookAgain) return;
    willLookAgain = true;
    setTimeout(() => {
      willLookAgain = false;
      flush();
    }, ms).unref();
  }

  async function run(group: readonly Waiting<Q, A>[]): Promise<void> {
    free -= 1;
    sentAt = performance.now();
    reportSize(onGroup, group.length);
    for (const { key } of group) if (key !== undefined) busy.add(key);
    try {
      const outcomes = await work.send(group.map(({ request }) => request));
      for (const [index, one] of group.entries()) settle(one, outcomes[index]);
    } catch (error) {
      for (const one of group) one.reject(error);
    }
    for (const { key } of group) if (key !== undefined) busy.delete(key);
    free += 1;
    schedule();
  }

  return (request) =>
    new Promise<A>((resolve, reject) => {
      waiting.push({ request, key: work.keyOf?.(request), chars: work.charsOf?.(request) ?? 0, resolve, reject });
      schedule();
    });
}

/** Calls the listener with the size of a batch, and ignores its errors, so that the batch is still sent. */
function reportSize(onGroup: BatchSettings['onGroup'], size: number): void {
  try {
    onGroup?.(size);
  } catch {
    // The error is ignored, because no caller waits for the listener and the storage has no log.
  }
}

/**
 * Takes the first waiting requests that may be sent in one batch: no two of them have the same key, no request with one
 * of their keys is in flight, and together they have at most a million characters.
 */
function pickGroup<Q, A>(
  waiting: readonly Waiting<Q, A>[],
  count: number,
  busy: ReadonlySet<string>,
): { group: Waiting<Q, A>[]; rest: Waiting<Q, A>[] } {
  const [group, rest]: [Waiting<Q, A>[], Waiting<Q, A>[]] = [[], []];
  const taken = new Set<string | undefined>(busy);
  let chars = 0;
  for (const one of waiting) {
    const isFree = group.length < count && !taken.has(one.key);
    if (isFree && (group.length === 0 || chars + one.chars <= GROUP_CHARS)) {
      group.push(one);
      chars += one.chars;
    } else rest.push(one);
    if (one.key !== undefined) taken.add(one.key);
  }
  return { group, rest };
}

function settle<Q, A>(one: Waiting<Q, A>, outcome: PromiseSettledResult<A> | undefined): void {
  if (outcome?.status === 'fulfilled') one.resolve(outcome.value);
  else one.reject(outcome?.reason ?? new Error('the statement returned fewer results than requests'));
}
