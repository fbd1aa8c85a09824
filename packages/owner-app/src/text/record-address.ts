import { recordTypeOf } from '@parley/core/text';

export const sessionPath = (sessionId: string): string => `/owner/sessions/${encodeURIComponent(sessionId)}`;

/**
 * The path of a record in the console. A record without its own page, such as a record of the contract, has the path of
 * its session.
 *
 * @param against for revisions only: id of the revision with which the console compares the record
 */
export function recordPath(sessionId: string, recordId: string, against?: string): string {
  if (!hasRecordPath(recordId)) return sessionPath(sessionId);
  return `${sessionPath(sessionId)}/${recordId}${against === undefined ? '' : `?against=${against}`}`;
}

/** Whether the console has a page for the record with this id. */
export const hasRecordPath = (recordId: string): boolean => recordTypeOf(recordId) !== undefined;

/**
 * The path of a part of a contract in the console: the page of the contract, scrolled to the part.
 *
 * @param partId id of a part of the contract, of a decision that the contract names, or of a requirement
 * @param revisionId default: the latest revision
 */
export function partPath(sessionId: string, partId: string, revisionId = 'contract'): string {
  return `${sessionPath(sessionId)}/${revisionId}#part-${encodeURIComponent(partId)}`;
}

/** The path of a message in the console: the page of its session, scrolled to the message. */
export const messagePath = (sessionId: string, id: number): string => `${sessionPath(sessionId)}#m-${id}`;
