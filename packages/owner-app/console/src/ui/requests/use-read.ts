import type { Answer, OwnerCallName, OwnerInput } from '@parley/core/client';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { call, callOn, signIns } from '../../api/client.ts';
import type { SessionView } from '../../api/types.ts';

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

type Part = 'contract' | 'markdown';

interface LongText {
  readonly text: string | null;
  readonly error: ApiError | null;
}

/**
 * Reads a text of a revision in several pieces, because it is too long for one answer.
 *
 * @param revisionId null reads nothing
 */
export function useLongText(sessionId: string, revisionId: string | null, part: Part): LongText {
  const [read, setRead] = useState<LongText & { readonly key: string }>({ key: '', text: null, error: null });
  const key = `${sessionId} ${revisionId} ${part}`;
  const signedIn = signIns.value;
  useEffect(() => {
    if (revisionId === null) return undefined;
    let isStale = false;
    readPieces(sessionId, revisionId, part)
      .then((text) => {
        if (!isStale) setRead({ key, text, error: null });
      })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        if (!isStale) setRead({ key, text: null, error });
      });
    return () => {
      isStale = true;
    };
  }, [sessionId, revisionId, part, key, signedIn]);
  return read.key === key ? read : { text: null, error: null };
}

async function readPieces(sessionId: string, revisionId: string, part: Part): Promise<string> {
  for (let text = ''; ; ) {
    const { piece, left_out } = await callOn(sessionId, 'revision', {
      revision_id: revisionId,
      part,
      from: text.length,
    });
    text += piece?.text ?? '';
    if (!left_out || !piece?.text) return text;
  }
}
