import { parseArgs } from 'node:util';
import type { Trouble } from './chaos/plan.ts';

export interface Settings extends Trouble {
  readonly seed: number;
  readonly sessions: number;
  readonly proxy: 'nginx' | 'own' | undefined;
  /** Name of the mistake to plant, which the checks must detect. */
  readonly plant: string | undefined;
}

const FULL = { seconds: 120, sessions: 10, restarts: 5, cuts: 50 };
const SHORT = { seconds: 20, sessions: 6, restarts: 2, cuts: 8 };
/**
 * Settings for `--rolling`: all hosts are restarted one after another, as many times as `ROUNDS` says. There are no
 * other faults: `restarts` counts restarts of database servers. The clients obey Retry-After.
 */
const ROLLING = { seconds: 20, kills: 0, restarts: 0, cuts: 0 };
const ROUNDS = { full: 3, short: 1 };
const CITUS_SERVERS = 3;
const KILL_EVERY_SECONDS = 4;
const RESTART_EVERY_SECONDS = 24;
const CUTS_A_SECOND = 0.42;

/** Parses the flags of the command line. If a flag is invalid, throws an error that lists the valid values. */
export function readSettings(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ seed: { type: 'string' }, seconds: { type: 'string' }, hosts: { type: 'string' } },
      ...{ sessions: { type: 'string' }, proxy: { type: 'string' }, plant: { type: 'string' } },
      short: { type: 'boolean', default: false },
      rolling: { type: 'boolean', default: false },
      citus: { type: 'boolean', default: false },
    },
  });
  const { seconds: wanted, proxy, plant, rolling } = values;
  const isShort = values.short || environment.TORTURE === 'short';
  const form = isShort ? SHORT : FULL;
  const seconds = whole('seconds', wanted, form.seconds);
  return {
    ...{ seconds, plant, proxy: proxyOf(proxy) },
    seed: whole('seed', values.seed, Math.floor(Math.random() * 1_000_000)),
    hosts: whole('hosts', values.hosts, 3),
    servers: values.citus ? CITUS_SERVERS : 1,
    sessions: whole('sessions', values.sessions, form.sessions),
    kills: Math.ceil(seconds / KILL_EVERY_SECONDS),
    restarts: wanted === undefined ? form.restarts : Math.ceil(seconds / RESTART_EVERY_SECONDS),
    cuts: wanted === undefined ? form.cuts : Math.ceil(seconds * CUTS_A_SECOND),
    rounds: rolling ? ROUNDS[isShort ? 'short' : 'full'] : 0,
    ...(rolling ? ROLLING : {}),
  };
}

function whole(name: string, text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${name} takes a whole number above 0, not ${text}.`);
}

function proxyOf(text: string | undefined): Settings['proxy'] {
  if (text === undefined || text === 'nginx' || text === 'own') return text;
  throw new Error(`--proxy takes nginx or own, not ${text}.`);
}
