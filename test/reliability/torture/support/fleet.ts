import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../../scripts/servers/free-port.ts';
import { type OwnerServer, startOwnerServer } from '../../processes/support/owner-server.ts';

/** Processes of `parley serve` on one database. A restarted process has the same address. */
export interface Fleet {
  readonly addresses: readonly string[];
  /**
   * Sends a signal to a process, and starts it again after `downMs` milliseconds. Resolves when the new process accepts
   * requests.
   */
  restart(index: number, signal: 'SIGKILL' | 'SIGTERM', downMs: number): Promise<void>;
  ready(index: number): Promise<boolean>;
  /** Number of failed starts while the database was down. A supervisor would try again. */
  readonly startsInVain: () => number;
  /** Describes processes that exited although the test had sent no signal, and processes that are not ready. */
  fallen(): Promise<string[]>;
  /** The log lines of level error of all processes, including ended ones. */
  logs(): string;
  close(): Promise<void>;
}

const AGAIN_MS = 250;
const START_WITHIN_MS = 60_000;
const READY_WITHIN_MS = 15_000;

interface Slot {
  readonly port: number;
  server: OwnerServer | undefined;
}

export async function openFleet(databaseUrl: string, count: number): Promise<Fleet> {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const slots = ports.map((port): Slot => ({ port, server: undefined }));
  const wentByThemselves: string[] = [];
  const oldLogs: string[] = [];
  let startsInVain = 0;

  async function start(slot: Slot): Promise<void> {
    const deadline = performance.now() + START_WITHIN_MS;
    while (slot.server === undefined) {
      slot.server = await startOwnerServer({ ...SETTINGS, DATABASE_URL: databaseUrl, PORT: String(slot.port) }).catch(
        (error: Error) => {
          startsInVain += 1;
          if (performance.now() > deadline) throw error;
          return undefined;
        },
      );
      if (slot.server === undefined) await pause(AGAIN_MS);
    }
    const { server } = slot;
    server.process.once('exit', (code, signal) => {
      oldLogs.push(server.log());
      if (slot.server === server) wentByThemselves.push(`the host at ${slot.port} ended with ${code ?? signal}`);
    });
  }

  async function end(slot: Slot | undefined, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const server = slot?.server;
    if (!slot || !server) return;
    slot.server = undefined;
    await server.end(signal);
  }

  await Promise.all(slots.map(start));
  return {
    addresses: ports.map((port) => `127.0.0.1:${port}`),
    async restart(index, signal, downMs) {
      const slot = slots[index];
      if (!slot) throw new Error(`There is no host ${index}.`);
      await end(slot, signal);
      await pause(downMs);
      await start(slot);
    },
    ready: (index) => isReady(ports[index] ?? 0),
    startsInVain: () => startsInVain,
    async fallen() {
      const notReady = await Promise.all(ports.map(async (port) => ((await isReady(port)) ? [] : [String(port)])));
      return [...wentByThemselves, ...notReady.flat().map((port) => `the host at ${port} does not get ready`)];
    },
    logs: () => [...oldLogs, ...slots.map(({ server }) => server?.log() ?? '')].join(''),
    async close() {
      await Promise.all(slots.map((slot) => end(slot, 'SIGKILL')));
    },
  };
}

/** Settings of every process. The rate limits are so high that no test reaches them. */
const SETTINGS = {
  PARLEY_OWNER_KEY: `pok_${'t'.repeat(43)}`,
  PARLEY_LOG_LEVEL: 'error',
  PARLEY_RATE_TOKEN: '1000000',
  PARLEY_RATE_ADDRESS: '1000000',
};

/** Whether `/readyz` answers 200 within 15 s. */
async function isReady(port: number): Promise<boolean> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return true;
    await pause(AGAIN_MS);
  }
  return false;
}
