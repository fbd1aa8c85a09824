import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { bytesOf } from '../connection.ts';
import { makeTurnText } from '../seats.ts';
import { openWire } from './wire.ts';

/** Clients, and what each does in one round. */
const CLIENTS = 32;
const STEPS_OF_EACH = 50;
/** The number of values that the calibration keeps, so that the garbage collector also has old ones to follow. */
const KEPT = 1_000;

/**
 * Returns work of the same nature as a turn, without code of the service: a request to plain `node:http` that parses
 * JSON, writes it, hashes it and keeps it in a `Map`. Its time changes only with the machine and with Node.
 */
export function openCalibration(): () => Promise<number> {
  const kept = new Map<string, { readonly hash: string; readonly body: string; readonly earlier: number }>();
  let [hash, steps] = ['0'.repeat(64), 0];
  const server = createServer(async (request, response) => {
    const turn: unknown = JSON.parse(await text(request));
    const body = JSON.stringify({ at: new Date().toISOString(), previous: hash, turn });
    hash = createHash('sha256').update(body).digest('hex');
    const key = `step-${steps % KEPT}`;
    kept.set(key, { hash, body, earlier: (kept.get(key)?.earlier ?? 0) + 1 });
    steps += 1;
    const answer = JSON.stringify({ hash, steps, turn });
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) });
    response.end(answer);
  });
  const wires = Array.from({ length: CLIENTS }, openWire);
  for (const { stream } of wires) server.emit('connection', stream);
  return async () => {
    const stepping = wires.map(async (wire) => {
      for (let count = 0; count < STEPS_OF_EACH; count += 1)
        await wire.exchange(bytesOf({ method: 'POST', path: '/', body: makeTurnText() }));
    });
    await Promise.all(stepping);
    return CLIENTS * STEPS_OF_EACH;
  };
}
