import type { Admission, Answer } from '../../../src/kernel/operation/host-port.ts';
import { createMemoryStorage, type MemoryStorage } from '../../../src/kernel/storage/memory-storage.ts';
import { createParley, type Parley, type ParleyOptions } from '../../../src/parley.ts';
import { type TapedStorage, tapeStorage } from './taped-storage.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

export interface Sent {
  readonly token?: string | undefined;
  readonly authorization?: readonly string[];
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly keys?: readonly string[];
  readonly signal?: AbortSignal;
  readonly readBody?: () => Promise<string>;
}

export interface Answered {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One process of Parley, and its recorded calls to the storage. */
export interface Host {
  readonly parley: Parley;
  readonly tape: TapedStorage;
  readonly failures: unknown[];
  /** Sends a REST request. A path without a leading slash is a route of the session. */
  send(route: string, sent?: Sent): Promise<Answered>;
  admit(token: string, signal?: AbortSignal): Promise<Admission>;
}

export interface World {
  readonly clock: VirtualClock;
  readonly memory: MemoryStorage;
  readonly sessionId: string;
  readonly tokenA: string;
  readonly tokenB: string;
  readonly here: Host;
  readonly owner: ReturnType<Parley['owner']>;
  /** Starts another process on the same storage, with empty caches. */
  openHost(options?: Partial<ParleyOptions>): Promise<Host>;
  invite(role: 'agent_a' | 'agent_b' | 'moderator', extra?: object): Promise<string>;
  turn(text?: string): { readonly summary: string };
}

/** A started session with both builders, and one process that has cached the session. */
export async function openWorld(options: Partial<ParleyOptions> = {}): Promise<World> {
  const clock = virtualClock();
  const memory = createMemoryStorage({ now: clock.now });
  let seed = 1;
  const openHost = async (more: Partial<ParleyOptions> = {}): Promise<Host> => {
    seed += 1;
    return await createHost(
      memory.sibling(),
      { clock, random: seededBytes(seed), ...options, ...more },
      () => sessionId,
    );
  };
  let sessionId = '';
  const here = await openHost();
  const owner = here.parley.owner('owner-1');
  const created = await owner.createSession({
    title: 'T',
    objective: 'O',
    requirements: [{ requirement_id: 'R1', text: 'r' }],
  });
  sessionId = String(created.session_id);
  const invite: World['invite'] = async (role, extra = {}) => {
    const { code } = await owner.invite(sessionId, { role, ...extra });
    return (await here.parley.redeem({ code })).token;
  };
  const [tokenA, tokenB] = [await invite('agent_a'), await invite('agent_b')];
  await owner.start(sessionId);
  here.tape.taken();
  return {
    clock,
    memory,
    sessionId,
    tokenA,
    tokenB,
    here,
    owner,
    openHost,
    invite,
    turn: (text = 'Done.') => ({ summary: text }),
  };
}

async function createHost(
  memory: MemoryStorage,
  options: Omit<ParleyOptions, 'storage'>,
  sessionId: () => string,
): Promise<Host> {
  const tape = tapeStorage(memory);
  const failures: unknown[] = [];
  const parley = await createParley({ storage: tape.storage, onFailure: (cause) => failures.push(cause), ...options });
  return {
    parley,
    tape,
    failures,
    async send(route, sent = {}) {
      const [method = '', path = ''] = route.split(' ');
      const { token, body, signal } = sent;
      const answer = await parley.callRoute({
        method,
        path: path.startsWith('/') ? path : `/sessions/${sessionId()}/${path}`,
        query: new URLSearchParams(sent.query),
        authorization: sent.authorization ?? (token === undefined ? [] : [`Bearer ${token}`]),
        address: '192.0.2.1',
        idempotencyKeys: sent.keys ?? [],
        signal,
        readBody: sent.readBody ?? (async () => (typeof body === 'string' ? body : JSON.stringify(body ?? {}))),
      });
      return readAnswer(answer);
    },
    admit: (token, signal) => parley.admit({ authorization: [`Bearer ${token}`], address: '192.0.2.1', signal }),
  };
}

function readAnswer({ status, body, headers }: Answer): Answered {
  const value = JSON.parse(body) as Record<string, unknown>;
  return { status, code: typeof value.error === 'string' ? value.error : undefined, body: value, text: body, headers };
}

/** Pseudo-random bytes, the same in every run. */
function seededBytes(seed: number): (length: number) => Uint8Array {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    return ((mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61))) >>> 14) & 0xff;
  };
  return (length) => Uint8Array.from({ length }, next);
}
