import { type Bench, CONNECTIONS, type Figures, ONLY } from '../bench.ts';
import { type Load, type LoadRequest, loadByKind, P95, RATE } from '../load.ts';
import { seatMany } from '../seating.ts';
import type { Seats } from '../seats.ts';
import { startServer } from '../server-process.ts';
import { stateRequest, turnWriter } from '../traffic.ts';

const MORE_HOSTS = [2, 4];
/** Of so many requests of a client one is a turn, the others read the state. */
const CYCLE = 4;

export const processes: Bench = {
  name: 'processes',
  ours: `2 and 4 hosts on one PostgreSQL with shared rate windows; ${CONNECTIONS} clients, 3 reads to each post_turn; each request goes to the next host.`,
  floor: 'The same load on 1 host.',
  figures: [
    { name: `${RATE}, read`, unit: '/s', ratio: { atLeast: 1 } },
    { name: `${P95}, read`, unit: 'ms', ratio: { atMost: 1 } },
    { name: `${RATE}, write`, unit: '/s', ratio: { atLeast: 1 } },
    { name: `${P95}, write`, unit: 'ms', ratio: { atMost: 1 } },
  ],

  async prepare({ seconds, rounds, openDatabase }) {
    const database = await openDatabase();
    const seated = await seatMany(database, CONNECTIONS * (rounds + 1) * (MORE_HOSTS.length + 1));
    const servers = await Promise.all(
      Array.from({ length: Math.max(...MORE_HOSTS) }, () =>
        startServer('parley-server', { database, sharedLimits: true }),
      ),
    );
    const roundOn = (hosts: number) => async (): Promise<Figures> => {
      const urls = servers.slice(0, hosts).map(({ url }) => url);
      const next = mixed(seated.splice(0, CONNECTIONS), hosts);
      return named(await loadByKind({ urls, seconds, next }));
    };
    return {
      floors: { [ONLY]: roundOn(1) },
      ours: Object.fromEntries(MORE_HOSTS.map((hosts) => [`${hosts} hosts`, roundOn(hosts)])),
      close: async () => void (await Promise.all(servers.map((server) => server.stop()))),
    };
  },
};

/** As a proxy without stickiness spreads them: what one host wrote is asked of the next. */
function mixed(seated: readonly Seats[], hosts: number): Load['next'] {
  const clients = seated.map((seats, client) => {
    const state = stateRequest(seats);
    const reads = Array.from({ length: hosts }, (_, server) => ({ ...state, server, kind: 'read' }));
    return { reads, write: turnWriter(seats), asked: client };
  });
  return (index): LoadRequest => {
    const client = clients[index];
    if (!client) throw new Error(`Client ${index} has no session.`);
    client.asked += 1;
    const server = client.asked % hosts;
    const read = client.reads[server];
    // The cycle moves on by one each time round, so that every host gets its share of the turns.
    const isWrite = (client.asked + Math.floor(client.asked / CYCLE)) % CYCLE === 0;
    return isWrite || !read ? { ...client.write(), server, kind: 'write' } : read;
  };
}

const named = (kinds: Readonly<Record<string, Figures>>): Figures =>
  Object.fromEntries(
    ['read', 'write'].flatMap((kind) =>
      [RATE, P95].map((figure) => [`${figure}, ${kind}`, kinds[kind]?.[figure] ?? Number.NaN]),
    ),
  );
