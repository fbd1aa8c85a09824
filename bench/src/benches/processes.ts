import { type Bench, CONNECTIONS, type Figures, ONLY } from '../bench.ts';
import { COST, type Load, type LoadRequest, load, ofKind, P95, RATE } from '../load.ts';
import { seatMany } from '../seating.ts';
import type { Seats } from '../seats.ts';
import type { ServerProcess } from '../server-process.ts';
import { stateRequests, turnWriter } from '../traffic.ts';

const MORE_HOSTS = [2, 4];
/** Each client posts a turn with every fourth request. Its other requests read the state. */
const CYCLE = 4;
const WARM_UP_SECONDS = 2;

export const processes: Bench = {
  name: 'processes',
  ours: `2 and 4 hosts on one PostgreSQL with shared rate windows, ${CONNECTIONS} clients, 3 reads to each post_turn; each agent always uses the same host; the two agents of a session use different hosts.`,
  floor: 'The same load on 1 host.',
  figures: [
    { name: ofKind(RATE, 'read'), unit: '/s', ratio: { atLeast: 1 } },
    { name: ofKind(P95, 'read'), unit: 'ms', ratio: { atMost: 1 } },
    { name: ofKind(RATE, 'write'), unit: '/s', ratio: { atLeast: 1 } },
    { name: ofKind(P95, 'write'), unit: 'ms', ratio: { atMost: 1 } },
    { name: COST, unit: 'µs', ratio: { atMost: 1.25 } },
  ],

  async prepare({ seconds, rounds, openDatabase, startServer }) {
    const database = await openDatabase();
    const most = Math.max(...MORE_HOSTS);
    const seated = await seatMany(database, CONNECTIONS * ((rounds + 1) * (MORE_HOSTS.length + 1) + most));
    const servers = await Promise.all(
      Array.from({ length: most }, () => startServer('parley-server', { database, sharedLimits: true })),
    );
    const useHosts = (hosts: readonly ServerProcess[], length: number): Promise<Figures> =>
      load({ servers: hosts, seconds: length, next: mixed(seated.splice(0, CONNECTIONS), hosts.length) });
    // Warms up each server alone. If all servers shared one load, each would get too few requests to compile its code.
    for (const server of servers) await useHosts([server], Math.min(WARM_UP_SECONDS, seconds));
    const roundOn = (count: number) => (): Promise<Figures> => useHosts(servers.slice(0, count), seconds);
    return {
      floors: { [ONLY]: roundOn(1) },
      ours: Object.fromEntries(MORE_HOSTS.map((count) => [`${count} hosts`, roundOn(count)])),
    };
  },
};

/** Distributes requests so that the two agents of a session use different hosts. */
function mixed(seated: readonly Seats[], hosts: number): Load['next'] {
  const clients = seated.map((seats, client) => {
    const reads = stateRequests(seats).map((read, agent) => ({
      ...read,
      server: (client + agent) % hosts,
      kind: 'read',
    }));
    return { reads, write: turnWriter(seats), asked: 0 };
  });
  return (index): LoadRequest | undefined => {
    const client = clients[index];
    if (!client) throw new Error(`Client ${index} has no session.`);
    const { asked, reads, write } = client;
    client.asked += 1;
    const read = reads[asked % 2];
    if (asked % CYCLE !== 0 && read) return read;
    const agent = (asked / CYCLE) % 2;
    const turn = write();
    return turn && { ...turn, server: (index + agent) % hosts, kind: 'write' };
  };
}
