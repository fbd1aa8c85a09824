import type { BriefAnswer, OwnerWait } from '../../api/types.ts';
import { useRead } from '../../ui/requests/use-read.ts';

/**
 * Reads the brief of the approval, if the task is an approval. Null for any other task, until the brief is loaded, and if
 * loading fails.
 *
 * @param version a number that changes when the session changes
 */
export const useApprovalBrief = (sessionId: string, { kind }: OwnerWait, version: number): BriefAnswer | null =>
  useRead<BriefAnswer>(kind === 'APPROVAL' ? `/sessions/${sessionId}/brief?stage=approval` : null, version).value;
