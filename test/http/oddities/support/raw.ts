import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface RawAnswer {
  readonly status: number;
  /** Values by header name in lower case. Values of a repeated header are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed body, or undefined if the body is not JSON. */
  readonly json: unknown;
  /** Statuses of the interim answers (1xx) before this answer. */
  readonly interim: readonly number[];
}

/** A text or bytes to write, or a pause in milliseconds. */
export type Piece = string | Buffer | number;

export interface ExchangeOptions {
  /** Whether the answer has a Content-Length but no body, as for HEAD. */
  readonly isBodiless?: boolean;
  /** Milliseconds from the last piece until the client ends its side of the connection. */
  readonly hangUpAfterMs?: number;
}

/**
 * Writes pieces on a new connection and reads one answer. Returns `closed` if the connection ended without an answer.
 */
export async function exchangeRaw(
  port: number,
  pieces: readonly Piece[],
  { isBodiless = false, hangUpAfterMs }: ExchangeOptions = {},
): Promise<RawAnswer | 'closed'> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  try {
    const answer = readAnswer(socket, isBodiless);
    const written = writePieces(socket, pieces);
    if (hangUpAfterMs !== undefined) void written.then(() => delay(hangUpAfterMs)).then(() => socket.end());
    await Promise.all([answer, written]);
    return await answer;
  } finally {
    socket.destroy();
  }
}

async function writePieces(socket: Socket, pieces: readonly Piece[]): Promise<void> {
  for (const piece of pieces) {
    if (typeof piece === 'number') await delay(piece);
    else if (socket.writable) socket.write(piece);
  }
}

function readAnswer(socket: Socket, isBodiless: boolean): Promise<RawAnswer | 'closed'> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const tryParse = (isOver: boolean): void => {
      const answer = parseAnswer(received, { isBodiless, isOver });
      if (answer) resolve(answer);
      else if (isOver) resolve('closed');
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      tryParse(false);
    });
    socket.once('close', () => tryParse(true));
  });
}

interface Reading {
  readonly isBodiless: boolean;
  readonly isOver: boolean;
}

/** Parses the first answer that is not an interim answer. Returns undefined while the answer is incomplete. */
function parseAnswer(bytes: Buffer, reading: Reading, interim: readonly number[] = []): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const rest = bytes.subarray(end + 4);
  if (status < 200) return parseAnswer(rest, reading, [...interim, status]);
  const headers = readHeaders(lines);
  const length = lengthOf(status, headers, reading) ?? (reading.isOver ? rest.length : Number.POSITIVE_INFINITY);
  if (rest.length < length) return undefined;
  const text = rest
    .subarray(0, length)
    .toString('utf8')
    .replace(/^0\r\n\r\n$/, '');
  return { status, headers, text, json: parsed(text), interim };
}

/** Returns the length of the body. Undefined if the body ends when the connection closes. */
function lengthOf(status: number, headers: RawAnswer['headers'], { isBodiless }: Reading): number | undefined {
  if (isBodiless || status === 204) return 0;
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [name = '', ...value] = line.split(':');
    const key = name.toLowerCase();
    headers[key] = [headers[key], value.join(':').trim()].filter((text) => text !== undefined).join(', ');
  }
  return headers;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
