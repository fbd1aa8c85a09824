/** Definition of a metric, for prom-client, the document and the tests of the dashboard. */
export interface MetricDefinition {
  readonly name: `parley_${string}`;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /**
   * The values of labels, if they are known: these series exist from the start with 0, so that their first increase is
   * visible.
   */
  readonly series?: readonly Readonly<Record<string, string>>[];
  readonly buckets?: readonly number[];
}

/** Bucket bounds in seconds: from 0.1 ms, a read from memory, to 30 s, longer than the longest poll. */
const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const;
const SIZES = [1, 2, 4, 8, 16, 32, 64] as const;

const define = <const D extends MetricDefinition>(definition: D): D => definition;

/** All metrics of Parley. No label ever contains a token, an id, a text or a path. */
export const METRICS = {
  operationSeconds: define({
    name: 'parley_operation_duration_seconds',
    type: 'histogram',
    help: 'Seconds of one operation, from its call to its answer or refusal. What waits counts its waiting.',
    labels: ['operation', 'kind', 'role'],
    buckets: SECONDS,
  }),
  operationErrors: define({
    name: 'parley_operation_errors_total',
    type: 'counter',
    help: 'Operations that were refused or failed, by error code.',
    labels: ['operation', 'code'],
  }),
  errors: define({
    name: 'parley_errors_total',
    type: 'counter',
    help: 'Errors that left the service, by code, also those that came before any operation was known.',
    labels: ['code'],
  }),
  requests: define({
    name: 'parley_http_requests_total',
    type: 'counter',
    help: 'Answered HTTP requests, by side and status; 499 is a client that left.',
    labels: ['side', 'status'],
  }),
  cutOffs: define({
    name: 'parley_http_cut_offs_total',
    type: 'counter',
    help: 'Requests whose client was cut off, because it did not read answers or did not finish a body, by the limit that was exceeded.',
    labels: ['reason'],
    series: ['client_bytes', 'process_bytes', 'stalled', 'unfinished_bodies'].map((reason) => ({ reason })),
  }),
  heldPolls: define({
    name: 'parley_held_polls',
    type: 'gauge',
    help: 'Requests held now until there is news, live pages of the owner among them.',
    labels: [],
  }),
  wakeSeconds: define({
    name: 'parley_wake_duration_seconds',
    type: 'histogram',
    help: 'Seconds from the moment this process knew of news to the answer of a held request.',
    labels: [],
    buckets: SECONDS,
  }),
  appendRetries: define({
    name: 'parley_append_retries_total',
    type: 'counter',
    help: 'Writes tried again: another write to the session came first, or the storage did not say whether it was stored.',
    labels: ['reason'],
    series: [{ reason: 'race_lost' }, { reason: 'outcome_unknown' }],
  }),
  storageSeconds: define({
    name: 'parley_storage_duration_seconds',
    type: 'histogram',
    help: 'Seconds of one append or fetch, with its wait for a grouped statement.',
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
    help: 'Calls that went into one grouped statement.',
    labels: ['call'],
    series: [{ call: 'append' }, { call: 'fetch' }, { call: 'count' }],
    buckets: SIZES,
  }),
  cacheReads: define({
    name: 'parley_cache_reads_total',
    type: 'counter',
    help: 'Look-ups in a cache. A miss of sessions is a log that had to be folded anew, or from its snapshot.',
    labels: ['cache', 'result'],
    series: ['sessions', 'events', 'documents', 'answers'].flatMap((cache) => [
      { cache, result: 'hit' },
      { cache, result: 'miss' },
    ]),
  }),
  cacheBytes: define({
    name: 'parley_cache_bytes',
    type: 'gauge',
    help: 'Estimated size of what a cache holds now.',
    labels: ['cache'],
  }),
  cacheLimitBytes: define({
    name: 'parley_cache_limit_bytes',
    type: 'gauge',
    help: 'Size beyond which a cache drops what was not used for longest.',
    labels: ['cache'],
  }),
  cacheEntries: define({
    name: 'parley_cache_entries',
    type: 'gauge',
    help: 'Sessions, events or documents that a cache holds now.',
    labels: ['cache'],
  }),
  snapshots: define({
    name: 'parley_snapshots_total',
    type: 'counter',
    help: 'What became of snapshots of long sessions, as they were written and read.',
    labels: ['outcome'],
    series: ['saved', 'refused', 'failed', 'used', 'lost', 'unreadable'].map((outcome) => ({ outcome })),
  }),
  rateRefusals: define({
    name: 'parley_rate_refusals_total',
    type: 'counter',
    help: 'Requests refused because a limit of the minute was reached, by what is counted.',
    labels: ['window'],
    series: ['token', 'address', 'redeem', 'forged'].map((window) => ({ window })),
  }),
  buildInfo: define({
    name: 'parley_build_info',
    type: 'gauge',
    help: 'Always 1; the label says which version runs.',
    labels: ['version'],
  }),
} as const;
