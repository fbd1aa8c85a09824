/** Whether a revision was submitted after a request for changes, and no reason of a revision names the request. */
export const isUnnamed = (request: { readonly answered_by?: unknown; readonly is_named?: unknown }): boolean =>
  typeof request.answered_by === 'string' && request.is_named === false;

/** Whether a text names the message with this number, such as "message 55" or "#55". */
export const namesMessage = (text: string, number: number): boolean =>
  new RegExp(`(?:(?<![\\w#&])#|\\b(?:message|request)\\s{1,3}#?)${number}(?!\\w|[.,]\\d)`, 'iu').test(text);

/**
 * What the owner must do about a request for changes that no reason of a revision names.
 *
 * @param revisionId the first revision after the request
 */
export const unnamedRequestText = (revisionId: string): string =>
  `The reason of ${revisionId} does not name this request: check that ${revisionId} fulfils the request.`;
