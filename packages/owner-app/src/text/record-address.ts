/** Matches the ids of records that have their own page in the console: `d_12`, `q_7`, `def_1`. */
const RECORD_ID = /^(?:d|q|f|i|act|r|h|rec|def)_[1-9]\d{0,8}$/;

/** The path of a session in the console. */
export const sessionPath = (sessionId: string): string => `/owner/sessions/${encodeURIComponent(sessionId)}`;

/**
 * Makes the path of a record in the console. A record without its own page, such as an item of the contract, has the path of
 * its session.
 *
 * @param against id of the revision with which the console compares the record; for revisions only
 */
export function recordPath(sessionId: string, recordId: string, against?: string): string {
  if (!RECORD_ID.test(recordId)) return sessionPath(sessionId);
  return `${sessionPath(sessionId)}/${recordId}${against === undefined ? '' : `?against=${against}`}`;
}

/** The address of a message in the console: the page of its session, scrolled to the message. */
export const messagePath = (sessionId: string, id: number): string => `${sessionPath(sessionId)}#m-${id}`;
