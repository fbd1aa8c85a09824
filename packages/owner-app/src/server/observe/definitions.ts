/** The definition of a metric, for prom-client, for docs/observability.md and for the tests of the dashboard. */
export interface MetricDefinition {
  readonly name: `parley_${string}`;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /**
   * All combinations of label values, if they are fixed. The time series of these labels start at 0, so that the first
   * increase is visible.
   */
  readonly series?: readonly Readonly<Record<string, string>>[];
  readonly buckets?: readonly number[];
}

/**
 * Upper bounds of the buckets in seconds, from 0.1 ms for a read from memory to 30 s, which is more than a long-poll
 * takes.
 */
const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const;
const SIZES = [1, 2, 4, 8, 16, 32, 64] as const;

const define = <const D extends MetricDefinition>(definition: D): D => definition;

/** All metrics of Parley. A label never contains a token, an id, a text or a path. */
export const METRICS = {
  operationSeconds: define({
    name: 'parley_operation_duration_seconds',
    type: 'histogram',
    help: 'Seconds from the call of an operation to its answer or refusal. The time that a long poll waits is included.',
    labels: ['operation', 'kind', 'role'],
    buckets: SECONDS,
  }),
  operationErrors: define({
    name: 'parley_operation_errors_total',
    type: 'counter',
    help: 'Number of operations that were refused or failed, by error code.',
    labels: ['operation', 'code'],
  }),
  errors: define({
    name: 'parley_errors_total',
    type: 'counter',
    help: 'Number of errors that clients received, by code. Includes requests that named no operation.',
    labels: ['code'],
  }),
  requests: define({
    name: 'parley_http_requests_total',
    type: 'counter',
    help: 'Number of answered HTTP requests, by side (kind of client) and status. Status 499: the client closed the connection before the answer.',
    labels: ['side', 'status'],
  }),
  cutOffs: define({
    name: 'parley_http_cut_offs_total',
    type: 'counter',
    help: 'Connections that the service closed because the client did not read its answers or did not finish a body, by the exceeded limit.',
    labels: ['reason'],
    series: ['client_bytes', 'process_bytes', 'stalled', 'unfinished_bodies'].map((reason) => ({ reason })),
  }),
  heldPolls: define({
    name: 'parley_held_polls',
    type: 'gauge',
    help: 'Requests that now wait for an event: long polls of agents, and open event streams of the owner.',
    labels: [],
  }),
  wakeSeconds: define({
    name: 'parley_wake_duration_seconds',
    type: 'histogram',
    help: 'Seconds from the moment this process learned of an event to the answer of a waiting request.',
    labels: [],
    buckets: SECONDS,
  }),
  appendRetries: define({
    name: 'parley_append_retries_total',
    type: 'counter',
    help: 'Writes that were tried again because another write to the session came first, or the storage did not confirm them.',
    labels: ['reason'],
    series: [{ reason: 'race_lost' }, { reason: 'outcome_unknown' }],
  }),
  storageSeconds: define({
    name: 'parley_storage_duration_seconds',
    type: 'histogram',
    help: 'Duration of one append or fetch in seconds, including the time until its SQL statement was sent.',
    labels: ['call', 'outcome'],
    series: [
      ...['ok', 'refused', 'unknown', 'failed'].map((outcome) => ({ call: 'append', outcome })),
      ...['ok', 'failed'].map((outcome) => ({ call: 'fetch', outcome })),
    ],
    buckets: SECONDS,
  }),
  groupSize: define({
    name: 'parley_group_size',
    type: 'histogram',
    help: 'Number of calls that were sent in one SQL statement.',
    labels: ['call'],
    series: [{ call: 'append' }, { call: 'fetch' }, { call: 'count' }],
    buckets: SIZES,
  }),
  cacheReads: define({
    name: 'parley_cache_reads_total',
    type: 'counter',
    help: 'Number of look-ups in a cache, by cache and result. After a miss in the cache named sessions, the state of a session is computed from the log, or from a snapshot and the events after it.',
    labels: ['cache', 'result'],
    series: ['sessions', 'events', 'documents', 'answers'].flatMap((cache) => [
      { cache, result: 'hit' },
      { cache, result: 'miss' },
    ]),
  }),
  cacheBytes: define({
    name: 'parley_cache_bytes',
    type: 'gauge',
    help: 'Estimated bytes of the entries that a cache holds now.',
    labels: ['cache'],
  }),
  cacheLimitBytes: define({
    name: 'parley_cache_limit_bytes',
    type: 'gauge',
    help: 'Bytes above which a cache evicts its least recently used entries.',
    labels: ['cache'],
  }),
  cacheEntries: define({
    name: 'parley_cache_entries',
    type: 'gauge',
    help: 'Number of entries that a cache holds now: sessions, events or documents.',
    labels: ['cache'],
  }),
  snapshots: define({
    name: 'parley_snapshots_total',
    type: 'counter',
    help: 'Snapshots of long sessions that were written or read, by outcome.',
    labels: ['outcome'],
    series: ['saved', 'refused', 'failed', 'used', 'lost', 'unreadable'].map((outcome) => ({ outcome })),
  }),
  rateRefusals: define({
    name: 'parley_rate_refusals_total',
    type: 'counter',
    help: 'Requests that were refused because a rate limit was reached, by limit.',
    labels: ['window'],
    series: ['token', 'address', 'redeem', 'person', 'forged'].map((window) => ({ window })),
  }),
  retained: define({
    name: 'parley_retained_sessions_total',
    type: 'counter',
    help: 'Ended sessions that were due to be erased, by what happened: erased; held by a moderator; changed during the export; failed. Sessions with the last three outcomes stay, and are tried again.',
    labels: ['outcome'],
    series: ['erased', 'held', 'changed', 'failed'].map((outcome) => ({ outcome })),
  }),
  buildInfo: define({
    name: 'parley_build_info',
    type: 'gauge',
    help: 'Always 1. The label version is the version of this process.',
    labels: ['version'],
  }),
} as const;
