import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Asked, Block, Footprint, HostOptions, Listening, Question, Told } from '../host/host-options.ts';

export interface HostProcess extends Listening {
  heldPolls(): Promise<number>;
  /** Returns the longest block of the host's event loop since the previous call. */
  longestBlock(): Promise<Block>;
  /** Measures the host after a garbage collection. The host needs the flag `--expose-gc`. */
  footprint(): Promise<Footprint>;
  /** Ends every held poll of the host, as a restart does. */
  drain(): Promise<unknown>;
  kill(): Promise<void>;
}

const UNLIMITED = { perToken: 1_000_000, perAddress: 1_000_000, redeemPerAddress: 1_000_000, perPerson: 1_000_000 };

/**
 * Starts a host in a separate process. `program` is the path of the compiled `host-main.ts`, `flags` are flags of Node.
 */
export async function forkHost(
  program: string,
  { limits, ...options }: HostOptions,
  flags: readonly string[] = [],
): Promise<HostProcess> {
  const settings: HostOptions = { ...options, limits: { ...UNLIMITED, ...limits } };
  const child = fork(program, [JSON.stringify(settings)], { execArgv: [...flags] });
  const gone = once(child, 'exit');
  const [listening]: Listening[] = await Promise.race([
    once(child, 'message'),
    gone.then(([code]) => Promise.reject(new Error(`The host ended with ${code} before it listened.`))),
  ]);
  const ask = interview(child);
  if (!listening) throw new Error('The host said nothing.');
  return {
    ...listening,
    heldPolls: async () => Number(await ask('held polls')),
    longestBlock: async () => (await ask('longest block')) as Block,
    footprint: async () => (await ask('footprint')) as Footprint,
    drain: () => ask('drain'),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function interview(child: ChildProcess): (question: Question) => Promise<unknown> {
  const open = new Map<number, (answer: unknown) => void>();
  let asked = 0;
  child.on('message', ({ id, answer }: Told) => {
    open.get(id)?.(answer);
    open.delete(id);
  });
  return (question) =>
    new Promise((resolve) => {
      asked += 1;
      open.set(asked, resolve);
      child.send({ id: asked, question } satisfies Asked);
    });
}
