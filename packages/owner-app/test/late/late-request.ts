import { once } from 'node:events';
import { connect } from 'node:net';

/** A request whose last byte is not sent yet. */
export interface Late {
  /** Sends the last byte of the body, and returns the status and the code of the answer. */
  finish(): Promise<string>;
  readonly answer: Promise<string>;
}

interface Parts {
  readonly headers: Readonly<Record<string, string>>;
  /** The body without its last byte, a space. */
  readonly body: string;
}

/** Sends a POST to the owner's API without the last byte of its body. */
export async function beginPost(url: string, path: string, { headers, body }: Parts): Promise<Late> {
  const { hostname, port, host } = new URL(url);
  const lines = Object.entries({
    host,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body) + 1),
    ...headers,
  });
  const socket = connect(Number(port), hostname);
  const texts: string[] = [];
  socket.setEncoding('utf8').on('data', (text: string) => texts.push(text));
  const head = [`POST /owner/api${path} HTTP/1.1`, ...lines.map((line) => line.join(': '))];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const answer = once(socket, 'close').then(() => {
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(texts.join('')) ?? [];
    const [, code = 'ok'] = /"error":"([A-Z_]+)"/.exec(texts.join('')) ?? [];
    return `${status} ${code}`;
  });
  await once(socket, 'connect');
  const finish = (): Promise<string> => {
    socket.write(' ');
    return answer;
  };
  return { answer, finish };
}
