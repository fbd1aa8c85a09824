import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Over = (isAnswered: boolean) => void;

/**
 * Callbacks by connection. They are called when the connection closes, because requests and pipelined responses do not report
 * every end.
 */
const waiting = new WeakMap<Socket, Set<Over>>();

/** Calls `over` once: with true when the answer was sent, or with false when the client left before. */
export function onRequestEnd({ socket }: IncomingMessage, response: ServerResponse, over: Over): void {
  const others = waitingOn(socket);
  others.add(over);
  response.once('finish', () => {
    if (others.delete(over)) over(true);
  });
  if (socket.destroyed && others.delete(over)) over(false);
}

function waitingOn(socket: Socket): Set<Over> {
  const known = waiting.get(socket);
  if (known) return known;
  const group = new Set<Over>();
  waiting.set(socket, group);
  socket.once('close', () => {
    for (const over of group) over(false);
    group.clear();
  });
  return group;
}
