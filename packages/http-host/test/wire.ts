import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** A bare connection on which a test writes what no client library would. */
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
    /** Everything received once it matches; rejects when the other side closes first or within 5 s nothing matches. */
    async until(pattern: RegExp): Promise<string> {
      const deadline = performance.now() + 5000;
      while (!pattern.test(received)) {
        if (performance.now() > deadline || socket.readableEnded)
          throw new Error(`never matched ${pattern}: ${received}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return received;
    },
    get received() {
      return received;
    },
  };
}
