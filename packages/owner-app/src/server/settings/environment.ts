import {
  connection,
  hostName,
  LOG_LEVEL_LIST,
  logLevel,
  matching,
  oneOf,
  onOff,
  port,
  postgresUrl,
  proxyList,
  type SettingFacts,
  settingFacts,
  webAddress,
  wholeNumber,
} from '@parley/http-host/program';
import { z } from 'zod';
import { OWNER_KEY_FORM } from '../access/owner-key.ts';
import { hostList, webhookAddress, webhookSecrets } from './setting-types.ts';

const HINTS = ['notify', 'redis', 'off'] as const;
const PREPARED = ['auto', 'on', 'off'] as const;
const ON_OFF = ['on', 'off'] as const;

const listening = {
  PORT: port().prefault('4100').register(settingFacts, {
    flag: '--port <number>',
    purpose: 'port to listen on; 0 takes a free one (default 4100)',
  }),
  HOST: hostName()
    .prefault('127.0.0.1')
    .register(settingFacts, { flag: '--host <host>', purpose: 'address to listen on (default 127.0.0.1)' }),
  PARLEY_PUBLIC_URL: webAddress().optional().register(settingFacts, {
    flag: '--public-url <url>',
    purpose: 'address at which agents reach this server; invitations contain it',
  }),
  PARLEY_HOSTS: hostList().optional().register(settingFacts, {
    flag: '--hosts <list|any>',
    purpose:
      'host names to accept beside that of PARLEY_PUBLIC_URL, loopback names and IP addresses; any: every name (default none)',
  }),
  PARLEY_TRUSTED_PROXIES: proxyList().optional().register(settingFacts, {
    flag: '--trusted-proxies <list>',
    purpose: 'proxies whose X-Forwarded-For header is trusted',
  }),
  PARLEY_PATH_TOKENS: onOff().prefault('on').register(settingFacts, {
    flag: '--path-tokens <on|off>',
    words: ON_OFF,
    purpose: 'serve MCP with the token in its path (default on)',
  }),
};

const keeping = {
  PARLEY_DATA: matching('the path of a folder', /^.{1,4096}$/)
    .prefault('.parley')
    .register(settingFacts, { flag: '--data <folder>', purpose: 'embedded database and owner key (default .parley)' }),
  DATABASE_URL: postgresUrl().optional().register(settingFacts, {
    flag: '--database-url <url>',
    purpose: 'PostgreSQL, in place of the embedded database',
    isSecret: true,
  }),
  PARLEY_PG_DIRECT_URL: postgresUrl().optional().register(settingFacts, {
    flag: '--pg-direct-url <url>',
    purpose: 'direct address of PostgreSQL for LISTEN, if DATABASE_URL leads to a pooler',
    isSecret: true,
  }),
  PARLEY_PG_PREPARED: oneOf(PREPARED).prefault('auto').register(settingFacts, {
    flag: '--pg-prepared <auto|on|off>',
    words: PREPARED,
    purpose:
      'prepared statements; auto: only if no pooler is found; must be off behind PgBouncer before 1.21 (default auto)',
  }),
  PARLEY_PG_POOL: wholeNumber(1, 1_000)
    .prefault('10')
    .register(settingFacts, { flag: '--pg-pool <number>', purpose: 'connections to PostgreSQL at most (default 10)' }),
  PARLEY_PG_GROUP_MAX: wholeNumber(1, 64).prefault('64').register(settingFacts, {
    flag: '--pg-group-max <number>',
    purpose: 'sessions that one statement may touch (default 64)',
  }),
  PARLEY_PG_SHARDED: onOff().optional().register(settingFacts, {
    flag: '--pg-sharded <on|off>',
    words: ON_OFF,
    purpose: 'statements for a sharded database such as Citus (default off; on with PARLEY_PG_GROUP_MAX=1)',
  }),
  REDIS_URL: connection('redis://host:6379', ['redis:', 'rediss:']).optional().register(settingFacts, {
    flag: '--redis-url <url>',
    purpose: 'Redis 6 or newer that carries hints between processes, in place of NOTIFY',
    isSecret: true,
  }),
  PARLEY_HINTS: oneOf(HINTS).optional().register(settingFacts, {
    flag: '--hints <notify|redis|off>',
    words: HINTS,
    purpose: 'how processes tell each other of changes (default redis with REDIS_URL, else notify)',
  }),
  PARLEY_CACHE_MB: wholeNumber(16, 65_536).prefault('140').register(settingFacts, {
    flag: '--cache-mb <number>',
    purpose: 'MiB of sessions, events, contracts and answers kept in memory (default 140)',
  }),
  PARLEY_OWNER_KEY: matching('pok_ and then 32 to 200 letters, digits, _ or -', OWNER_KEY_FORM)
    .optional()
    .register(settingFacts, { purpose: 'the owner key; without it the first start makes one', isSecret: true }),
};

const watching = {
  PARLEY_LOG_LEVEL: logLevel()
    .prefault('info')
    .register(settingFacts, { flag: '--log-level <level>', purpose: `${LOG_LEVEL_LIST} (default info)` }),
  PARLEY_RATE_TOKEN: wholeNumber(1, 1_000_000).prefault('600').register(settingFacts, {
    flag: '--rate-token <number>',
    purpose: 'requests per minute for each token (default 600)',
  }),
  PARLEY_RATE_ADDRESS: wholeNumber(1, 1_000_000).prefault('60').register(settingFacts, {
    flag: '--rate-address <number>',
    purpose: 'requests without a token per minute for each address (default 60)',
  }),
  PARLEY_RATE_REDEEM: wholeNumber(1, 1_000_000).prefault('10').register(settingFacts, {
    flag: '--rate-redeem <number>',
    purpose: 'redemptions per minute for each address (default 10)',
  }),
  PARLEY_SHARED_LIMITS: onOff().prefault('off').register(settingFacts, {
    flag: '--shared-limits <on|off>',
    words: ON_OFF,
    purpose: 'count requests for the limits across all processes (default off)',
  }),
};

const measuring = {
  PARLEY_METRICS_PORT: port().optional().register(settingFacts, {
    flag: '--metrics-port <number>',
    purpose: 'separate port for /metrics, /healthz and /readyz; if unset, nothing is measured',
  }),
  PARLEY_METRICS_HOST: hostName().prefault('127.0.0.1').register(settingFacts, {
    flag: '--metrics-host <host>',
    purpose: 'address of the metrics port, which asks for no key (default 127.0.0.1)',
  }),
  PARLEY_DRAIN_SECONDS: wholeNumber(0, 300).prefault('0').register(settingFacts, {
    flag: '--drain-seconds <number>',
    purpose: 'seconds to go on serving after SIGTERM, while /readyz answers draining (default 0)',
  }),
};

const telling = {
  PARLEY_WEBHOOK_URL: webhookAddress().optional().register(settingFacts, {
    flag: '--webhook-url <url>',
    purpose: 'address to POST notices to when something waits for you; needs PARLEY_WEBHOOK_SECRET',
    isSecret: true,
  }),
  PARLEY_WEBHOOK_SECRET: webhookSecrets()
    .optional()
    .register(settingFacts, { purpose: 'the secret that signs each webhook request', isSecret: true }),
};

/** Every environment variable that the server reads. */
export const Environment = z.object({ ...listening, ...keeping, ...watching, ...measuring, ...telling });

export type Variable = keyof z.input<typeof Environment>;

/** The settings, in the form in which documentation and `parley serve --help` list them. */
export const SETTINGS: readonly (SettingFacts & { readonly variable: Variable })[] = Environment.keyof().options.map(
  (variable) => ({
    variable,
    purpose: '',
    ...settingFacts.get(Environment.shape[variable]),
  }),
);
