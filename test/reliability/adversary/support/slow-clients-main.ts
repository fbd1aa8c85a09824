import { connect, type Socket } from 'node:net';
import type { Manner, SlowClientsOptions, Standing } from './slow-clients.ts';

/**
 * Opens `count` slow connections, and reopens each that the server closes. Reports the `Standing` to the parent
 * process.
 */
const { manners, count, url, localAddress, pauseMs }: SlowClientsOptions = JSON.parse(process.argv[2] ?? '');
const DRIP_MS = 2_000;
const TELL_MS = 200;

const { hostname: host, port } = new URL(url);
const sockets = new Map<Socket, Manner>();
let most = 0;
let closed = 0;

function open(manner: Manner): void {
  const socket = connect({ host, port: Number(port), localAddress }, () => {
    sockets.set(socket, manner);
    most = Math.max(most, sockets.size);
    if (manner.first !== '') socket.write(manner.first);
  });
  socket.on('error', () => undefined).resume();
  socket.on('close', () => {
    if (sockets.delete(socket)) closed += 1;
    setTimeout(open, pauseMs, manner);
  });
}

for (let index = 0; index < count; index += 1) {
  const manner = manners[index % manners.length];
  if (manner) open(manner);
}
setInterval(() => {
  for (const [socket, { drip }] of sockets) if (drip !== '') socket.write(drip);
}, DRIP_MS);
setInterval(() => process.send?.({ open: sockets.size, most, closed } satisfies Standing), TELL_MS);
process.on('disconnect', () => process.exit());
