import { Duplex } from 'node:stream';
import { readAnswer } from '../answer.ts';

/**
 * A connection to a server of this process. No socket is involved, because the time of the operating system does not
 * follow that of the calibration.
 */
export interface Wire {
  /** The server's end. */
  readonly stream: Duplex;
  /** Sends a request, given as its bytes, and resolves with the body of the answer. */
  exchange(request: string): Promise<Buffer>;
}

export function openWire(): Wire {
  let received: Buffer[] = [];
  let answered: ((body: Buffer) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  const take = (chunk: Buffer): void => {
    received.push(chunk);
    const answer = readAnswer(received.length === 1 ? chunk : Buffer.concat(received));
    if (answer === undefined) return;
    received = [];
    if (answer instanceof Error) failed?.(answer);
    else if (answer.status === 200) answered?.(answer.body);
    else failed?.(new Error(`The server answered ${answer.status}: ${answer.body}`));
  };
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      take(chunk);
      done();
    },
  });
  return {
    stream,
    exchange: (request) =>
      new Promise((resolve, reject) => {
        [answered, failed] = [resolve, reject];
        stream.push(request);
      }),
  };
}
