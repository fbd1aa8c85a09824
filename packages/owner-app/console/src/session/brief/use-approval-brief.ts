import type { BriefAnswer, OwnerWait } from '../../api/types.ts';
import { useCall } from '../../ui/requests/use-read.ts';

/**
 * Reads the brief of the approval, if the task is an approval. Null for any other task, until the brief is loaded, and if
 * loading fails.
 *
 * @param version a number that changes when the session changes
 */
export const useApprovalBrief = (sessionId: string, { kind }: OwnerWait, version: number): BriefAnswer | null =>
  useCall('brief', kind === 'APPROVAL' ? { session_id: sessionId, stage: 'approval' } : null, version).value;
