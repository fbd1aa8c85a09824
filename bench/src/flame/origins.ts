import type { Frame } from './frames.ts';

/** The origin of code, such as a package, and the colour of its frames. */
export interface Origin {
  readonly name: string;
  readonly colour: string;
  readonly holds: (frame: Pick<Frame, 'name' | 'file'>) => boolean;
}

const startsWith =
  (...starts: readonly string[]) =>
  ({ file }: Pick<Frame, 'file'>): boolean =>
    starts.some((start) => file.startsWith(start));

/** The order matters: `originOf` takes the first match. The last origin matches every frame. */
export const ORIGINS: readonly Origin[] = [
  { name: 'core', colour: '#e8743b', holds: startsWith('core/') },
  { name: 'http-host, mcp-host', colour: '#f2b134', holds: startsWith('http-host/', 'mcp-host/') },
  { name: 'storage-pg', colour: '#c05a8c', holds: startsWith('storage-pg/') },
  { name: 'pg', colour: '#8e6bbf', holds: startsWith('pg') },
  { name: 'zod', colour: '#c9a66b', holds: startsWith('zod/') },
  { name: 'Node', colour: '#5b9bd5', holds: startsWith('node:') },
  { name: 'garbage collector', colour: '#6b6b6b', holds: ({ name }) => name === '(garbage collector)' },
  { name: 'native code and V8', colour: '#7fb77e', holds: ({ file }) => file === '' },
  { name: 'other libraries', colour: '#b0b0b0', holds: () => true },
];

export const originOf = (frame: Pick<Frame, 'name' | 'file'>): Origin => {
  const origin = ORIGINS.find(({ holds }) => holds(frame)) ?? ORIGINS.at(-1);
  if (!origin) throw new Error('There are no origins.');
  return origin;
};

/** Returns the microseconds of each origin's own code, without called functions, sorted in descending order. */
export function ownByOrigin(root: Frame): (readonly [name: string, us: number])[] {
  const sums = new Map<string, number>();
  const add = (frame: Frame): void => {
    const { name } = originOf(frame);
    const own = frame.us - frame.children.reduce((sum, { us }) => sum + us, 0);
    sums.set(name, (sums.get(name) ?? 0) + own);
    for (const child of frame.children) add(child);
  };
  for (const child of root.children) add(child);
  return [...sums].toSorted(([, a], [, b]) => b - a);
}
