import { type Bench, CONNECTIONS, type Figures, ONLY } from '../bench.ts';
import { type Load, type LoadRequest, loadByKind, P95, RATE } from '../load.ts';
import { seatMany } from '../seating.ts';
import type { Seats } from '../seats.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { stateRequests, turnWriter } from '../traffic.ts';

const MORE_HOSTS = [2, 4];
/** Every fourth request of a client posts a turn; the others read the state. */
const CYCLE = 4;
const WARM_UP_SECONDS = 2;

const COST = 'processor time of the hosts for a request';

export const processes: Bench = {
  name: 'processes',
  ours: `2 and 4 hosts on one PostgreSQL with shared rate windows, ${CONNECTIONS} clients, 3 reads to each post_turn; each agent keeps its host, the two of a session are on different ones.`,
  floor: 'The same load on 1 host.',
  figures: [
    { name: `${RATE}, read`, unit: '/s', ratio: { atLeast: 1 } },
    { name: `${P95}, read`, unit: 'ms', ratio: { atMost: 1 } },
    { name: `${RATE}, write`, unit: '/s', ratio: { atLeast: 1 } },
    { name: `${P95}, write`, unit: 'ms', ratio: { atMost: 1 } },
    { name: COST, unit: 'ms' },
  ],

  async prepare({ seconds, rounds, openDatabase }) {
    const database = await openDatabase();
    const most = Math.max(...MORE_HOSTS);
    const seated = await seatMany(database, CONNECTIONS * ((rounds + 1) * (MORE_HOSTS.length + 1) + most));
    const servers = await Promise.all(
      Array.from({ length: most }, () => startServer('parley-server', { database, sharedLimits: true })),
    );
    const useHosts = (hosts: readonly ServerProcess[], length: number): Promise<Figures> =>
      useAll(hosts, length, seated.splice(0, CONNECTIONS));
    // Warms up each server alone: with several hosts, each gets too few requests in a round for its code to be compiled.
    for (const server of servers) await useHosts([server], Math.min(WARM_UP_SECONDS, seconds));
    const roundOn = (count: number) => (): Promise<Figures> => useHosts(servers.slice(0, count), seconds);
    return {
      floors: { [ONLY]: roundOn(1) },
      ours: Object.fromEntries(MORE_HOSTS.map((count) => [`${count} hosts`, roundOn(count)])),
      close: async () => void (await Promise.all(servers.map((server) => server.stop()))),
    };
  },
};

async function useAll(hosts: readonly ServerProcess[], seconds: number, seated: readonly Seats[]): Promise<Figures> {
  const urls = hosts.map(({ url }) => url);
  const before = await processorMs(hosts);
  const { read, write } = await loadByKind({ urls, seconds, next: mixed(seated, hosts.length) });
  const usedMs = (await processorMs(hosts)) - before;
  if (!read || !write) throw new Error('A kind of request was not sent.');
  const requests = ((read[RATE] ?? 0) + (write[RATE] ?? 0)) * seconds;
  const named = Object.entries({ read, write }).flatMap(([kind, figures]) =>
    Object.entries(figures).map(([figure, value]) => [`${figure}, ${kind}`, value]),
  );
  return { ...Object.fromEntries(named), [COST]: usedMs / requests };
}

async function processorMs(hosts: readonly ServerProcess[]): Promise<number> {
  const used = await Promise.all(hosts.map((host) => host.ask('processor')));
  return used.reduce((sum, ms) => sum + ms, 0);
}

/** Distributes requests like a proxy without session affinity: the two agents of a session use different hosts. */
function mixed(seated: readonly Seats[], hosts: number): Load['next'] {
  const clients = seated.map((seats, client) => {
    const reads = stateRequests(seats).map((read, agent) => ({
      ...read,
      server: (client + agent) % hosts,
      kind: 'read',
    }));
    return { reads, write: turnWriter(seats), asked: 0 };
  });
  return (index): LoadRequest => {
    const client = clients[index];
    if (!client) throw new Error(`Client ${index} has no session.`);
    const { asked, reads, write } = client;
    client.asked += 1;
    const read = reads[asked % 2];
    if (asked % CYCLE !== 0 && read) return read;
    const agent = (asked / CYCLE) % 2;
    return { ...write(), server: (index + agent) % hosts, kind: 'write' };
  };
}
