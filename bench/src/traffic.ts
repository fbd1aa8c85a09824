import { CONNECTIONS } from './bench.ts';
import { openConnection, type Request } from './connection.ts';
import type { LoadRequest } from './load.ts';
import { bearer, makeTurnText, type Seats, sessionPath } from './seats.ts';

type Next = (client: number) => LoadRequest | undefined;

/** Each client reads the state of its own session. */
export function readStates(seated: readonly Seats[]): Next {
  const requests = seated.map((seats) => at(stateRequests(seats), 0));
  return (client) => at(requests, client);
}

/** The requests that read the state as agent A and as agent B, in this order. */
export const stateRequests = ({ sessionId, tokens }: Seats): Request[] =>
  tokens.map((token) => ({ method: 'GET', path: sessionPath(sessionId, 'state'), headers: bearer(token) }));

/**
 * Each client posts turns to its own session, alternately as agent A and as agent B. The load ends when a session has
 * no turns left.
 */
export function postTurns(seated: readonly Seats[]): Next {
  const writers = seated.map(turnWriter);
  return (client) => at(writers, client)();
}

/**
 * Returns a function that creates the request for the next turn of a session. After the last turn, the function returns
 * undefined.
 */
export function turnWriter(seats: Seats): () => Request | undefined {
  const path = sessionPath(seats.sessionId, 'turns');
  const headers = seats.tokens.map(bearer);
  let turnIndex = 0;
  return () => {
    if (turnIndex === seats.turns) return undefined;
    const [first, second] = headers;
    const sender = turnIndex % 2 === 0 ? first : second;
    turnIndex += 1;
    return { method: 'POST', path, headers: sender ?? {}, body: makeTurnText() };
  };
}

/** Requests to the floor of the bench `read`: client number n reads row n. */
export function readRows(): Next {
  const requests = Array.from({ length: CONNECTIONS }, (_, id) => ({ method: 'GET', path: `/${id}` }) as const);
  return (client) => at(requests, client);
}

export const insertTurns: Next = (client) => ({
  method: 'POST',
  path: `/session-${client}`,
  body: makeTurnText(),
});

let streams = 0;

/** Requests to the peer `emmett-peer`: each client appends to a new stream, and names the events that it has. */
export function appendEvents(): Next {
  streams += 1;
  const lengths = Array.from({ length: CONNECTIONS }, () => 0);
  return (client) => {
    const length = at(lengths, client);
    lengths[client] = length + 1;
    return { method: 'POST', path: `/stream-${streams}-${client}/${length}`, body: makeTurnText() };
  };
}

/** Returns the size of the service's answer in bytes. The answers of the floor get the same size. */
export async function stateBytes(url: string, seats: Seats | undefined): Promise<number> {
  if (!seats) throw new Error('No session was seated.');
  const connection = await openConnection(url);
  const body = await connection.send(at(stateRequests(seats), 0));
  connection.close();
  return body.length;
}

function at<T>(list: readonly T[], client: number): T {
  const item = list[client];
  if (item === undefined) throw new Error(`Client ${client} has no session.`);
  return item;
}
