import type { Answer } from '@parley/core/client';
import type { SessionView } from '../../api/types.ts';
import { useCall } from './use-read.ts';

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
