import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Costs, measureWays, type OpenWays, type Way } from './rounds.ts';
import { openCluster, openSingle } from './side.ts';
import { openStatementWays } from './statement-ways.ts';
import { openStorageWays } from './storage-ways.ts';

export const USAGE = `pnpm measure:citus [--rounds n] [--seconds n]
Prints what an append and a fetch cost on one PostgreSQL and on Citus with two workers, and other forms of the statements.`;

/** Numbers of sessions of one shard. Each form of a statement is measured with each of these numbers. */
const GROUPS = [1, 2, 8];

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '2' } },
  });
  const pace = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
  const closing: (() => Promise<void>)[] = [];
  const opened = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const made = await opening;
    closing.unshift(() => made.close());
    return made;
  };
  try {
    const single = await opened(openSingle());
    const cluster = await opened(openCluster());
    const storages: OpenWays[] = [];
    for (const side of [single, cluster]) storages.push(await opened(openStorageWays(side)));
    const kinds = storages[0]?.ways.map((_, index) => storages.flatMap(({ ways }) => ways[index] ?? [])) ?? [];
    const costs: [Way, Costs][] = [];
    for (const ways of kinds) costs.push(...(await measureWays(ways, pace)));
    print(['call', 'database'], costs, ({ name, side }) => [name, side.name]);

    const forms: [Way, Costs][] = [];
    for (const count of GROUPS) {
      const { ways } = await opened(openStatementWays(cluster, count));
      const named = ways.map((way) => ({ ...way, name: `${way.name}, ${count} of a shard` }));
      forms.push(...(await measureWays(named, pace)));
    }
    print(['form'], forms, ({ name }) => [name]);
  } finally {
    for (const close of closing) await close();
  }
  console.log(`${cpus().length} processors, ${cpus()[0]?.model}; ${pace.rounds} rounds of ${pace.seconds} s, medians`);
  return 0;
}

const HEADS = [
  'calls a second',
  'statements to PostgreSQL or the coordinator',
  'statements to the workers',
  'µs of this process',
  'µs of PostgreSQL or the coordinator',
  'µs of the workers',
];

function print(heads: readonly string[], costs: readonly [Way, Costs][], cells: (way: Way) => readonly string[]): void {
  const line = (all: readonly string[]): string => `| ${all.join(' | ')} |`;
  const rows = costs.map(([way, found]) =>
    line([
      ...cells(way),
      ...[found.perSecond.toFixed(0), found.frontStatements.toFixed(2), found.workerStatements.toFixed(2)],
      ...[found.process, found.front, found.workers].map((micros) => micros.toFixed(0)),
    ]),
  );
  const all = [...heads, ...HEADS];
  console.log([line(all), line(all.map(() => '---')), ...rows, ''].join('\n'));
}
