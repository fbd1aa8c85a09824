import type { Answer, OwnerCallName, OwnerInput } from '@parley/core/client';
import { signal, useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, type SessionView } from '../api/answers.ts';
import { call, signIns } from '../api/client.ts';
import type { LiveSession } from '../state/live-session.ts';
import { usePageTitle } from '../state/page-title.ts';
import { SafeText } from './text/shown.tsx';

/** Runs the calls of a component, and holds whether a call is in progress and the error of the last call. */
export interface Action {
  readonly isBusy: boolean;
  readonly error: ApiError | null;
  /** Runs `work`. Resolves to true if it succeeds, and to false if the call is refused. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  clear(): void;
}

export function useAction(): Action {
  const isBusy = useSignal(false);
  const error = useSignal<ApiError | null>(null);
  return {
    isBusy: isBusy.value,
    error: error.value,
    clear() {
      error.value = null;
    },
    async run(work) {
      isBusy.value = true;
      error.value = null;
      try {
        await work();
        return true;
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown;
        error.value = thrown;
        return false;
      } finally {
        isBusy.value = false;
      }
    },
  };
}

/** The latest event that the page had shown, by number and hash: what a decision is bound to. */
export interface Seen {
  readonly seen: number;
  readonly seen_hash: string;
}

export const seenOf = ({ head: { seq, hash } }: Pick<SessionView, 'head'>): Seen => ({ seen: seq, seen_hash: hash });

/**
 * The latest event that the page had shown when the dialog opened. A decision in the dialog is bound to it: what arrives
 * while the dialog is open may not have been read.
 */
export function useSeen(live: LiveSession | undefined): Seen | undefined {
  const shown = live?.view.peek();
  return useSignal(shown ? seenOf(shown) : undefined).value;
}

export function Failure({ error }: { readonly error: ApiError | null }) {
  if (!error) return null;
  const issues = Array.isArray(error.body.issues) ? error.body.issues : [];
  return (
    <div class="failure" role="alert">
      <strong>{error.message}</strong>
      {issues.length > 1 && (
        <ul class="bullets">
          {issues.map((issue: { path?: string; message?: string }) => (
            <li key={`${issue.path} ${issue.message}`}>
              <code>{issue.path}</code> {issue.message}
            </li>
          ))}
        </ul>
      )}
      {error.hint && <p>{error.hint}</p>}
      {typeof error.body.trace_id === 'string' && (
        <p>
          trace_id <code>{error.body.trace_id}</code> of the call <code>{error.path}</code>
        </p>
      )}
    </div>
  );
}

/** Shown instead of what is not read yet: that it is loading, or why reading it has failed. */
export const Pending = ({ error = null }: { readonly error?: ApiError | null }) =>
  error ? <Failure error={error} /> : <p class="waiting">Loading…</p>;

interface UnreadPageProps {
  /** The title of the page if reading has failed. */
  readonly title: string;
  readonly error: ApiError | null;
  /** Reads the data of the page again. */
  readonly onRetry: () => Promise<void>;
}

/** Shown instead of a page whose data is not read yet, or could not be read. */
export function UnreadPage({ title, error, onRetry }: UnreadPageProps) {
  usePageTitle(error && title);
  const { isBusy, run } = useAction();
  if (!error) return <Pending />;
  return (
    <section class="stack failed-page">
      <h1>{title}</h1>
      <Failure error={error} />
      <button type="button" class="primary" disabled={isBusy} onClick={() => void run(onRetry)}>
        Try again
      </button>
    </section>
  );
}

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
        if (!isStale && error.status !== 401)
          setReading((earlier) => (earlier.key === key ? { ...earlier, error } : { key, value: null, error }));
      });
    return () => {
      isStale = true;
    };
  }, [key, version, signedIn]);
  return reading.key === key ? reading : { value: null, error: null };
}

/** The records that the operation `records` shows in full, by their type: those of the lists of the view. */
interface Records {
  readonly decision: SessionView['decisions'][number];
  readonly question: SessionView['questions'][number];
  readonly intervention: SessionView['interventions'][number];
  readonly action: SessionView['actions'][number];
  readonly finding: SessionView['findings'][number];
  readonly hold: SessionView['holds'][number];
  readonly recommendation: SessionView['recommendations'][number];
  readonly defect: unknown;
  readonly followup: Answer<'noteFollowup'>['followup'];
}
export type RecordType = keyof Records;
export type RecordOf<Type extends RecordType> = Records[Type];

/**
 * Reads a record in full, with the facts that belong to it. The record is undefined until it is loaded.
 *
 * @param id null reads nothing
 */
export function useRecord<Type extends RecordType>(sessionId: string, type: Type, id: string | null, version = 0) {
  const { value, error } = useCall('records', id === null ? null : { session_id: sessionId, type, id }, version);
  const [record] = (value?.records ?? []) as readonly unknown[] as readonly RecordOf<Type>[];
  const context: Answer<'records'>['context'] = value?.context;
  return { record, context, isLoaded: value !== null, error };
}

/**
 * Makes a component whose code is loaded when it is shown for the first time. If loading fails, a button that tries
 * again is shown.
 *
 * @param Meanwhile shown while the code is loading
 */
export function lazy<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  Meanwhile: FunctionComponent<Props> = () => <Pending />,
): FunctionComponent<Props> {
  const loaded = signal<FunctionComponent<Props> | null>(null);
  const hasFailed = signal(false);
  let isLoading = false;
  const start = async (): Promise<void> => {
    if (isLoading) return;
    isLoading = true;
    hasFailed.value = false;
    try {
      loaded.value = await load();
    } catch {
      hasFailed.value = true;
    }
    isLoading = false;
  };
  return (props) => {
    useEffect(() => {
      if (loaded.value === null) void start();
    }, []);
    const Loaded = loaded.value;
    if (Loaded) return <Loaded {...props} />;
    return hasFailed.value ? <NotLoaded onRetry={() => void start()} /> : <Meanwhile {...props} />;
  };
}

function NotLoaded({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div class="failure" role="alert">
      <p>This part of the page could not be loaded from the server.</p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

/** Shows Markdown. Until the parser is loaded, the text is shown without formatting. */
export const LazyMarkdown = lazy<{ readonly text: string }>(
  async () => (await import('./text/markdown.tsx')).Markdown,
  ({ text }) => (
    <div class="markdown">
      <SafeText text={text} />
    </div>
  ),
);
