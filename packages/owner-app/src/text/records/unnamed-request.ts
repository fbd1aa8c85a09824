/**
 * What the owner must do about a request for changes that no reason of a revision names.
 *
 * @param revisionId the first revision after the request
 */
export const unnamedRequestText = (revisionId: string): string =>
  `The reason of ${revisionId} does not name this request: check that ${revisionId} fulfils the request.`;
