import { PLANTS } from './plant.ts';
import { readSettings, type Settings } from './settings.ts';
import { type Outcome, torture } from './torture.ts';
import { tableOf } from './verdict/table.ts';

const LAST_LOG_LINES = 20;

export const USAGE = `pnpm torture [--short] [--rolling] [--citus] [--seed n] [--seconds n] [--hosts n] [--sessions n] [--proxy nginx|own] [--plant mistake]
docs/reliability.md says what it does.`;

export async function main(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const settings = readSettings(args, environment);
  if (settings.plant !== undefined && !Object.hasOwn(PLANTS, settings.plant))
    throw new Error(`--plant takes one of ${Object.keys(PLANTS).join(', ')}, not ${settings.plant}.`);
  console.log(headline(settings));
  const outcome = await torture(settings);
  const wrong = outcome.results.filter(({ faults }) => faults.length > 0);
  console.log(story(outcome));
  console.log(tableOf(outcome.results));
  if (wrong.length === 0) return 0;
  console.log(outcome.logs.trimEnd().split('\n').slice(-LAST_LOG_LINES).join('\n'));
  console.log(`again: pnpm torture ${flagsOf(settings)}`);
  return 1;
}

function headline({ seed, seconds, hosts, sessions, kills, servers, restarts, cuts, rounds }: Settings): string {
  const title = `seed ${seed}: ${hosts} hosts, ${sessions} sessions`;
  return rounds > 0
    ? `${title}; all hosts restarted one after another, ${rounds} times`
    : `${title}, ${seconds} s; ${kills} hosts killed, ${servers > 1 ? 'servers of Citus' : 'PostgreSQL'} restarted ${restarts} times, LISTEN terminated ${cuts} times`;
}

function story({ record, proxy, startsInVain }: Outcome): string {
  const away = Array.from(record.away, ([why, times]) => `${times} ${why}`).join(', ');
  const outages = record.outages.map(({ from, to }) => `${Math.round(to - from)} ms`).join(', ');
  return [
    `proxy: ${proxy}`,
    `database away: ${outages}; ${startsInVain} starts of hosts in vain meanwhile`,
    `listening connections terminated: ${record.faults.get('listening connection') ?? 0}`,
    `requests to be sent again: ${away || 'none'}`,
  ].join('\n');
}

const flagsOf = ({ seed, seconds, hosts, servers, sessions, rounds }: Settings): string =>
  `${servers > 1 ? '--citus ' : ''}--seed ${seed} --hosts ${hosts} --sessions ${sessions} ${rounds > 0 ? '--rolling' : `--seconds ${seconds}`}`;
