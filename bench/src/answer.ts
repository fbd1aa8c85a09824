export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}

const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';
const NO_CONTENT = 204;

/**
 * Parses the bytes of an HTTP answer that were received so far. Returns undefined if bytes are missing, and an Error if
 * the head has neither a Content-Length nor chunked encoding. An answer with status 204 has no body.
 */
export function readAnswer(received: Buffer): HttpAnswer | Error | undefined {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const rest = received.subarray(headEnd + HEAD_END.length);
  const status = Number(head.slice(9, 12));
  const body = status === NO_CONTENT ? rest.subarray(0, 0) : readBody(head, rest);
  if (body === undefined || body instanceof Error) return body;
  return { status, body };
}

function readBody(head: string, rest: Buffer): Buffer | Error | undefined {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined;
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return joinChunks(rest);
  return new Error('The answer has neither a length nor chunks.');
}

/** Joins the contents of all chunks. Returns undefined if the last chunk is missing. */
function joinChunks(rest: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf(LINE_END, at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16);
    const begin = lineEnd + LINE_END.length;
    const next = begin + size + LINE_END.length;
    if (rest.length < next) return undefined;
    if (size === 0) return Buffer.concat(parts);
    parts.push(rest.subarray(begin, begin + size));
    at = next;
  }
}
