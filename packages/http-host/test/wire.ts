import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** Opens a raw connection, on which a test can write bytes that no client library would send. */
export async function openWire(port: number, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  await once(socket, 'connect');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    write: (...lines: string[]) => void socket.write(lines.join('\r\n')),
    /**
     * Waits until the received text matches, and returns it. Rejects if the server closes the connection before that.
     */
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(received)) {
        if (socket.readableEnded || socket.destroyed) throw new Error(`never matched ${pattern}: ${received}`);
        await Promise.race([once(socket, 'data'), once(socket, 'end'), once(socket, 'close')]);
      }
      return received;
    },
    get received() {
      return received;
    },
  };
}
