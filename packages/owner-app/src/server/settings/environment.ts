import { z } from 'zod';
import { OWNER_KEY_FORM } from '../access/owner-key.ts';
import {
  connection,
  hostList,
  matching,
  oneOf,
  onOff,
  proxyList,
  webAddress,
  webhookAddress,
  webhookSecrets,
  wholeNumber,
} from './parsers.ts';

/** How `parley serve` shows a setting. Without `flag` it comes from the environment alone. */
interface Shown {
  readonly flag?: string;
  readonly purpose: string;
  /** The words that the flag takes, and no other value. */
  readonly words?: readonly string[];
  /** Never repeated in an error message. */
  readonly isSecret?: true;
}

const shown = z.registry<Shown>();

const ON_OFF = ['on', 'off'] as const;
const PREPARED = ['auto', 'on', 'off'] as const;
const HINTS = ['notify', 'redis', 'off'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const hostName = () => matching('a host name or address such as 127.0.0.1', /^[\w.:-]{1,253}$/);

const listening = {
  PORT: wholeNumber(0, 65_535)
    .prefault('4100')
    .register(shown, { flag: '--port <number>', purpose: 'port to listen on; 0 takes a free one (default 4100)' }),
  HOST: hostName()
    .prefault('127.0.0.1')
    .register(shown, { flag: '--host <host>', purpose: 'address to listen on (default 127.0.0.1)' }),
  PARLEY_PUBLIC_URL: webAddress()
    .optional()
    .register(shown, { flag: '--public-url <url>', purpose: 'where agents reach this server; invitations name it' }),
  PARLEY_HOSTS: hostList().optional().register(shown, {
    flag: '--hosts <list|any>',
    purpose:
      'names served beside that of PARLEY_PUBLIC_URL, loopback names and IP addresses; any: every name (default none)',
  }),
  PARLEY_TRUSTED_PROXIES: proxyList()
    .optional()
    .register(shown, { flag: '--trusted-proxies <list>', purpose: 'proxies whose X-Forwarded-For is believed' }),
  PARLEY_PATH_TOKENS: onOff().prefault('on').register(shown, {
    flag: '--path-tokens <on|off>',
    words: ON_OFF,
    purpose: 'serve MCP with the token in its path (default on)',
  }),
};

const keeping = {
  PARLEY_DATA: matching('the path of a folder', /^.{1,4096}$/)
    .prefault('.parley')
    .register(shown, { flag: '--data <folder>', purpose: 'embedded database and owner key (default .parley)' }),
  DATABASE_URL: connection('postgres://user:password@host:5432/database', ['postgres:', 'postgresql:'])
    .optional()
    .register(shown, { flag: '--database-url <url>', purpose: 'PostgreSQL, not the embedded one', isSecret: true }),
  PARLEY_PG_DIRECT_URL: connection('postgres://user:password@host:5432/database', ['postgres:', 'postgresql:'])
    .optional()
    .register(shown, {
      flag: '--pg-direct-url <url>',
      purpose: 'PostgreSQL past the pooler that DATABASE_URL leads to, for LISTEN',
      isSecret: true,
    }),
  PARLEY_PG_PREPARED: oneOf(PREPARED).prefault('auto').register(shown, {
    flag: '--pg-prepared <auto|on|off>',
    words: PREPARED,
    purpose:
      'prepared statements; auto: where no pooler stands in between; not behind PgBouncer before 1.21 (default auto)',
  }),
  PARLEY_PG_POOL: wholeNumber(1, 1_000)
    .prefault('10')
    .register(shown, { flag: '--pg-pool <number>', purpose: 'connections to PostgreSQL at most (default 10)' }),
  PARLEY_PG_GROUP_MAX: wholeNumber(1, 64).prefault('64').register(shown, {
    flag: '--pg-group-max <number>',
    purpose: 'sessions that one statement may touch (default 64)',
  }),
  PARLEY_PG_SHARDED: onOff().optional().register(shown, {
    flag: '--pg-sharded <on|off>',
    purpose: 'statements for a sharded database such as Citus (default off; on with PARLEY_PG_GROUP_MAX=1)',
  }),
  REDIS_URL: connection('redis://host:6379', ['redis:', 'rediss:']).optional().register(shown, {
    flag: '--redis-url <url>',
    purpose: 'Redis 6 or newer that carries hints between processes, in place of NOTIFY',
    isSecret: true,
  }),
  PARLEY_HINTS: oneOf(HINTS).optional().register(shown, {
    flag: '--hints <notify|redis|off>',
    words: HINTS,
    purpose: 'how processes tell each other of changes (default redis with REDIS_URL, else notify)',
  }),
  PARLEY_CACHE_MB: wholeNumber(16, 65_536).prefault('140').register(shown, {
    flag: '--cache-mb <number>',
    purpose: 'MiB of sessions, events, contracts and answers kept in memory (default 140)',
  }),
  PARLEY_OWNER_KEY: matching('pok_ and then 32 to 200 letters, digits, _ or -', OWNER_KEY_FORM)
    .optional()
    .register(shown, { purpose: 'the owner key; without it the first start makes one', isSecret: true }),
};

const watching = {
  PARLEY_LOG_LEVEL: oneOf(LOG_LEVELS)
    .prefault('info')
    .register(shown, { flag: '--log-level <level>', purpose: `${LOG_LEVELS.join(', ')} (default info)` }),
  PARLEY_RATE_TOKEN: wholeNumber(1, 1_000_000)
    .prefault('600')
    .register(shown, { flag: '--rate-token <number>', purpose: 'requests a minute and token (default 600)' }),
  PARLEY_RATE_ADDRESS: wholeNumber(1, 1_000_000).prefault('60').register(shown, {
    flag: '--rate-address <number>',
    purpose: 'tokenless requests a minute and address (default 60)',
  }),
  PARLEY_RATE_REDEEM: wholeNumber(1, 1_000_000)
    .prefault('10')
    .register(shown, { flag: '--rate-redeem <number>', purpose: 'redemptions a minute and address (default 10)' }),
  PARLEY_SHARED_LIMITS: onOff().prefault('off').register(shown, {
    flag: '--shared-limits <on|off>',
    words: ON_OFF,
    purpose: 'count limits across processes (default off)',
  }),
};

const measuring = {
  PARLEY_METRICS_PORT: wholeNumber(0, 65_535).optional().register(shown, {
    flag: '--metrics-port <number>',
    purpose: 'port of its own for /metrics, /healthz and /readyz; without it nothing is measured',
  }),
  PARLEY_METRICS_HOST: hostName().prefault('127.0.0.1').register(shown, {
    flag: '--metrics-host <host>',
    purpose: 'address of that port; nobody needs a key there (default 127.0.0.1)',
  }),
  PARLEY_DRAIN_SECONDS: wholeNumber(0, 300).prefault('0').register(shown, {
    flag: '--drain-seconds <number>',
    purpose: 'after SIGTERM, serve on for so long while /readyz says draining (default 0)',
  }),
};

const telling = {
  PARLEY_WEBHOOK_URL: webhookAddress().optional().register(shown, {
    flag: '--webhook-url <url>',
    purpose: 'where to POST what waits for you; needs PARLEY_WEBHOOK_SECRET',
    isSecret: true,
  }),
  PARLEY_WEBHOOK_SECRET: webhookSecrets()
    .optional()
    .register(shown, { purpose: 'signs what is sent to the webhook', isSecret: true }),
};

/** Every environment variable that the server reads. */
export const Environment = z.object({ ...listening, ...keeping, ...watching, ...measuring, ...telling });

export type Variable = keyof z.input<typeof Environment>;

/** The settings as documentation and `parley serve --help` list them. */
export const SETTINGS: readonly (Shown & { readonly variable: Variable })[] = Environment.keyof().options.map(
  (variable) => ({
    variable,
    purpose: '',
    ...shown.get(Environment.shape[variable]),
  }),
);
