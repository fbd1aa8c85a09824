import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** Opens a connection and sends requests, but reads no answer until `read` is called. */
export async function openUnread(port: number, lines: readonly string[]) {
  const socket = connect(port, '127.0.0.1');
  let isClosed = false;
  let received = 0;
  socket
    .on('error', () => {})
    .once('close', () => {
      isClosed = true;
    });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(lines.join('\r\n'));
  return {
    get isClosed() {
      return isClosed;
    },
    get received() {
      return received;
    },
    /** Begins to read the answers; calls `onPiece` after each chunk. */
    read(onPiece = () => {}) {
      socket.on('data', (chunk) => {
        received += chunk.length;
        onPiece();
      });
    },
  };
}
