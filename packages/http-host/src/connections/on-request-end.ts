import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Over = (isAnswered: boolean) => void;

/**
 * For each connection: the callbacks of its unfinished requests, by response. The closing of the connection calls them,
 * because Node does not report the end of every request.
 */
const waiting = new WeakMap<Socket, Map<ServerResponse, Over[]>>();

/** Calls `over` once: with true when the answer was sent, or with false when the client disconnected before that. */
export function onRequestEnd({ socket }: IncomingMessage, response: ServerResponse, over: Over): void {
  if (socket.destroyed) {
    over(false);
    return;
  }
  const responses = waitingOn(socket);
  const known = responses.get(response);
  if (known) {
    known.push(over);
    return;
  }
  responses.set(response, [over]);
  // All callbacks of a response share one listener, because a held poll has three callbacks and each listener takes
  // memory.
  response.once('finish', () => {
    const ended = responses.get(response) ?? [];
    responses.delete(response);
    for (const each of ended) each(true);
  });
}

function waitingOn(socket: Socket): Map<ServerResponse, Over[]> {
  const known = waiting.get(socket);
  if (known) return known;
  const responses = new Map<ServerResponse, Over[]>();
  waiting.set(socket, responses);
  socket.once('close', () => {
    const left = [...responses.values()].flat();
    responses.clear();
    for (const over of left) over(false);
  });
  return responses;
}
