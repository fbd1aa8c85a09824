import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** Opens a connection and sends requests. Reads no answer before `read` is called. */
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
    /** Starts to read the answers. Calls `onPiece` after each chunk. */
    read(onPiece = () => {}) {
      socket.on('data', (chunk) => {
        received += chunk.length;
        onPiece();
      });
    },
  };
}
