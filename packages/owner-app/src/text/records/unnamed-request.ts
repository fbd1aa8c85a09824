/** Whether a revision was submitted after a request for changes, and no reason of a revision names the request. */
export const isUnnamed = <Request extends { readonly answered_by: string | null; readonly is_named: boolean }>(
  request: Request,
): request is Request & { readonly answered_by: string } => request.answered_by !== null && !request.is_named;

/** Whether a text names the message with this number, such as "message 55" or "#55". */
const namesMessage = (text: string, number: number): boolean =>
  new RegExp(`(?:(?<![\\w#&])#|\\b(?:message|request)\\s{1,3}#?)${number}(?!\\w|[.,]\\d)`, 'iu').test(text);

/** A message of the transcript. */
interface Said {
  readonly id?: unknown;
  readonly from?: unknown;
  readonly kind?: unknown;
  readonly body?: unknown;
}

/**
 * The input of `transcript` that reads the messages for `saidAbout`: the first 50 messages that contain the number, among
 * the 500 messages after the owner's message.
 */
export const saidAboutInput = (number: number) => ({ after: number, grep: String(number) });

/** The messages in which an agent names the owner's message. A revision names the message only in its reason. */
export const saidAbout = <Message extends Said>(messages: readonly Message[], number: number): Message[] =>
  messages.filter(
    ({ from, kind, body }) =>
      (from === 'agent_a' || from === 'agent_b') &&
      kind !== 'revision.created' &&
      namesMessage(JSON.stringify(body), number),
  );

/**
 * What the owner must do about a request for changes that no reason of a revision names.
 *
 * @param revisionId the first revision after the request
 */
export const unnamedRequestText = (revisionId: string): string =>
  `The reason of ${revisionId} does not name this request: check that ${revisionId} fulfils the request.`;
