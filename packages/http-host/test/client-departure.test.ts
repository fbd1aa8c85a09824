import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ClientDeparture, onRequestEnd } from '../src/connections.ts';
import { openWire } from './wire.ts';

type Exchanged = readonly [IncomingMessage, ServerResponse];

/** Starts a server that keeps its requests unanswered, and opens a connection to it. */
async function openExchanges() {
  const exchanges: Exchanged[] = [];
  const server = createServer((...exchange) => void exchanges.push(exchange)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const wire = await openWire((server.address() as AddressInfo).port);
  /** Sends a request, and returns the objects with which the server handles it. */
  const ask = async (path: string): Promise<Exchanged> => {
    const before = exchanges.length;
    wire.write(`GET ${path} HTTP/1.1`, 'Host: a', '', '');
    await expect.poll(() => exchanges.length).toBe(before + 1);
    return exchanges[before] as Exchanged;
  };
  return { wire, ask };
}

it('calls each listener that was not removed once when the client disconnects', async () => {
  const { wire, ask } = await openExchanges();
  const departure = new ClientDeparture(...(await ask('/held')));
  const called: string[] = [];
  const removed = () => called.push('removed');
  departure.addEventListener('abort', () => called.push('first'));
  departure.addEventListener('abort', removed);
  departure.addEventListener('abort', () => called.push('last'));
  departure.removeEventListener('abort', removed);
  expect(departure.aborted).toBe(false);
  wire.socket.destroy();
  await expect.poll(() => departure.aborted).toBe(true);
  expect(called).toEqual(['first', 'last']);
});

it('reports nothing when the client disconnects after the answer', async () => {
  const { wire, ask } = await openExchanges();
  const [request, response] = await ask('/answered');
  const departure = new ClientDeparture(request, response);
  const called: string[] = [];
  departure.addEventListener('abort', () => called.push('called'));
  response.end('whole');
  await wire.until(/whole/);
  wire.socket.destroy();
  await expect.poll(() => request.socket.destroyed).toBe(true);
  expect([departure.aborted, called]).toEqual([false, []]);
});

it('reports a client that disconnected before a listener was added', async () => {
  const { wire, ask } = await openExchanges();
  const [request, response] = await ask('/late');
  wire.socket.destroy();
  await expect.poll(() => request.socket.destroyed).toBe(true);
  expect(new ClientDeparture(request, response).aborted).toBe(true);
});

it('calls every callback of each response of a connection, answered or not', async () => {
  const { wire, ask } = await openExchanges();
  const ends: string[] = [];
  const watch = ([request, response]: Exchanged, name: string) => {
    onRequestEnd(request, response, (isAnswered) => ends.push(`${name} 1 ${isAnswered}`));
    onRequestEnd(request, response, (isAnswered) => ends.push(`${name} 2 ${isAnswered}`));
  };
  const first = await ask('/first');
  const second = await ask('/second');
  watch(first, 'first');
  watch(second, 'second');
  first[1].end('whole');
  await wire.until(/whole/);
  wire.socket.destroy();
  await expect.poll(() => ends).toEqual(['first 1 true', 'first 2 true', 'second 1 false', 'second 2 false']);
});
