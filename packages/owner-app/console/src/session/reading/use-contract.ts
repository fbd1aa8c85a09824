import { useMemo } from 'preact/hooks';
import type { Json } from '../../../../src/text/read-as.ts';
import type { ApiError } from '../../api/api-error.ts';
import type { Plan } from '../../api/types.ts';
import { useLongText } from '../../ui/requests/use-long-text.ts';
import { useCall } from '../../ui/requests/use-read.ts';
import { contractOf } from './contract-model.ts';

interface ReadContract {
  /** The stored contract, which may be invalid. Undefined while it is loading. */
  readonly stored: unknown;
  /** The contract as an object. Null while it is loading, and if the stored value is not a JSON object. */
  readonly contract: Json | null;
  readonly error: ApiError | null;
}

/** Reads the contract of a revision. If it is too long for one answer, reads it in several pieces. */
export function useContract(sessionId: string, plan: Plan, revisionId: string): ReadContract {
  const isLatest = revisionId === plan.revision_id;
  const asked = { session_id: sessionId, revision_id: revisionId, format: 'structured' } as const;
  const { value: earlier, error } = useCall('revision', isLatest ? null : asked, 0);
  const shown = isLatest ? plan : earlier;
  const isLong = shown !== null && shown.contract === null;
  const long = useLongText(sessionId, isLong ? revisionId : null, 'contract');
  const stored = useMemo((): unknown => {
    if (shown?.contract) return shown.contract;
    return long.text === null ? undefined : JSON.parse(long.text);
  }, [shown?.contract, long.text]);
  const contract = useMemo(() => contractOf(stored), [stored]);
  return { stored, contract, error: error ?? long.error };
}
