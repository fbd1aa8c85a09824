import { z } from 'zod';

/** A processor profile as `node --cpu-prof` writes it. Times are microseconds of the machine's monotonic clock. */
const Profile = z.object({
  nodes: z.array(
    z.object({
      id: z.int(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.int()).optional(),
    }),
  ),
  startTime: z.number(),
  endTime: z.number(),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
});
type Profile = z.output<typeof Profile>;
type Node = Profile['nodes'][number];

/** A function at one position of the call stack. It stands for all calls of the function at that position. */
export interface Frame {
  readonly name: string;
  /** Package and file, such as `core/kernel/engine/writes.js` or `node:net`; empty for native code. */
  readonly file: string;
  /** Microseconds in this function and in the functions that it called. */
  readonly us: number;
  /** The called functions, sorted by time in descending order. */
  readonly children: readonly Frame[];
}

/** A period within a profile, in microseconds of the monotonic clock. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Reads a profile. Leaves out the time in which the process was idle, and samples outside of `period`. */
export function readFrames(text: string, period: Period): Frame {
  const profile = Profile.parse(JSON.parse(text));
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const own = ownTimes(profile, period);
  const [root] = profile.nodes;
  if (!root) throw new Error('The profile has no nodes.');
  return { ...merged('all', '', [root], { nodes, own }) };
}

/** Returns the microseconds of each node's own code, without called functions. A sample lasts until the next sample. */
function ownTimes({ samples, timeDeltas, startTime, endTime }: Profile, { from, to }: Period): Map<number, number> {
  const own = new Map<number, number>();
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index] ?? 0;
    const next = index + 1 < samples.length ? at + (timeDeltas[index + 1] ?? 0) : endTime;
    if (at >= from && at < to) own.set(id, (own.get(id) ?? 0) + next - at);
  }
  return own;
}

interface Reading {
  readonly nodes: ReadonlyMap<number, Node>;
  readonly own: ReadonlyMap<number, number>;
}

/**
 * Merges the nodes of one function at one position of the call stack. If a function was compiled again, the profile has
 * several nodes for it.
 */
function merged(name: string, file: string, same: readonly Node[], reading: Reading): Frame {
  const called = new Map<string, Node[]>();
  for (const id of same.flatMap(({ children = [] }) => children)) {
    const node = reading.nodes.get(id);
    if (!node || node.callFrame.functionName === '(idle)') continue;
    const key = `${node.callFrame.functionName} ${node.callFrame.url}`;
    called.set(key, [...(called.get(key) ?? []), node]);
  }
  const children = [...called.values()].flatMap((nodes) => {
    const { functionName, url } = nodes[0]?.callFrame ?? { functionName: '', url: '' };
    return [merged(functionName || '(anonymous)', fileOf(url), nodes, reading)];
  });
  const inside = children.reduce((sum, { us }) => sum + us, 0);
  const us = same.reduce((sum, { id }) => sum + (reading.own.get(id) ?? 0), inside);
  return { name, file, us, children: children.filter((child) => child.us > 0).toSorted((a, b) => b.us - a.us) };
}

/**
 * The URL of the repository's folder, three folders above this file. A compiled file has the same depth as its source.
 */
const ROOT = new URL('../../../', import.meta.url).href;
const IN_PACKAGE = /^.*\/(?:node_modules|packages)\//;

/** Shortens the URL of a file, so that the folders of this machine are removed. */
const fileOf = (url: string): string =>
  url.startsWith('file:') ? url.replace(IN_PACKAGE, '').replace(ROOT, '').replace('/dist/', '/') : url;
