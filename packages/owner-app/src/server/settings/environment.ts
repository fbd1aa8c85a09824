import {
  AUTO_ON_OFF,
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
  rootAddress,
  type SettingFacts,
  settingFacts,
  wholeNumber,
} from '@parley/http-host/program';
import { z } from 'zod';
import { OWNER_KEY_FORM } from '../access/owner-key.ts';
import { retentionSettings } from './retention-settings.ts';
import { certificateKeys, hostList, issuerList, webhookAddress, webhookSecrets } from './setting-types.ts';
import { signInSettings } from './sign-in-settings.ts';

const HINTS = ['notify', 'redis', 'off'] as const;
const ON_OFF = ['on', 'off'] as const;

const networkSettings = {
  PORT: port().prefault('4100').register(settingFacts, {
    flag: '--port <number>',
    purpose: 'port to listen on; 0 chooses a free one (default 4100)',
  }),
  HOST: hostName()
    .prefault('127.0.0.1')
    .register(settingFacts, { flag: '--host <host>', purpose: 'address to listen on (default 127.0.0.1)' }),
  PARLEY_PUBLIC_URL: rootAddress().optional().register(settingFacts, {
    flag: '--public-url <url>',
    purpose: 'address at which agents reach this server; invitations contain it',
  }),
  PARLEY_HOSTS: hostList().optional().register(settingFacts, {
    flag: '--hosts <list|any>',
    purpose:
      'further host names at which the server answers; any: every name (default none; the host name of PARLEY_PUBLIC_URL, loopback names and IP addresses are always accepted)',
  }),
  PARLEY_TRUSTED_PROXIES: proxyList().optional().register(settingFacts, {
    flag: '--trusted-proxies <list>',
    purpose: 'proxies whose X-Forwarded-For header is trusted',
  }),
  PARLEY_PATH_TOKENS: onOff().prefault('on').register(settingFacts, {
    flag: '--path-tokens <on|off>',
    words: ON_OFF,
    purpose: 'also serve MCP at addresses that contain the token, for clients that cannot send a header (default on)',
  }),
  PARLEY_COMPRESSION: onOff().prefault('on').register(settingFacts, {
    flag: '--compression <on|off>',
    words: ON_OFF,
    purpose: 'compress large answers; set off behind a proxy that compresses (default on)',
  }),
};

const storageSettings = {
  PARLEY_DATA: matching('the path of a folder', /^.{1,4096}$/)
    .prefault('.parley')
    .register(settingFacts, {
      flag: '--data <folder>',
      purpose: 'folder of the embedded database and of the owner key (default .parley)',
    }),
  DATABASE_URL: postgresUrl().optional().register(settingFacts, {
    flag: '--database-url <url>',
    purpose: 'address of a PostgreSQL database, used instead of the embedded database',
    isSecret: true,
  }),
  PARLEY_PG_DIRECT_URL: postgresUrl().optional().register(settingFacts, {
    flag: '--pg-direct-url <url>',
    purpose: 'direct address of PostgreSQL for LISTEN, if DATABASE_URL leads to a pooler',
    isSecret: true,
  }),
  PARLEY_PG_PREPARED: oneOf(AUTO_ON_OFF).prefault('auto').register(settingFacts, {
    flag: '--pg-prepared <auto|on|off>',
    words: AUTO_ON_OFF,
    purpose:
      'whether to use prepared statements; auto: only without a pooler; must be off behind PgBouncer before 1.21 (default auto)',
  }),
  PARLEY_PG_POOL: wholeNumber(1, 1_000).prefault('10').register(settingFacts, {
    flag: '--pg-pool <number>',
    purpose: 'maximum number of connections to PostgreSQL (default 10)',
  }),
  PARLEY_PG_GROUP_MAX: wholeNumber(1, 64).prefault('64').register(settingFacts, {
    flag: '--pg-group-max <number>',
    purpose: 'maximum number of sessions in one SQL statement (default 64)',
  }),
  PARLEY_PG_SHARDED: oneOf(AUTO_ON_OFF).prefault('auto').register(settingFacts, {
    flag: '--pg-sharded <auto|on|off>',
    words: AUTO_ON_OFF,
    purpose: 'use SQL statements for a sharded database; auto: if Citus distributes the tables (default auto)',
  }),
  REDIS_URL: connection('redis://host:6379', ['redis:', 'rediss:']).optional().register(settingFacts, {
    flag: '--redis-url <url>',
    purpose:
      'address of Redis 6 or newer, through which processes notify each other of changes, instead of NOTIFY of PostgreSQL',
    isSecret: true,
  }),
  PARLEY_HINTS: oneOf(HINTS).optional().register(settingFacts, {
    flag: '--hints <notify|redis|off>',
    words: HINTS,
    purpose: 'how processes notify each other of changes (default redis with REDIS_URL, else notify)',
  }),
  PARLEY_CACHE_MB: wholeNumber(16, 65_536).prefault('140').register(settingFacts, {
    flag: '--cache-mb <number>',
    purpose: 'size of all caches in MiB: sessions, events, contracts and answers (default 140)',
  }),
  PARLEY_OWNER_KEY: matching('pok_ followed by 32 to 200 letters, digits, _ or -', OWNER_KEY_FORM)
    .optional()
    .register(settingFacts, { purpose: 'the owner key; if unset, the first start creates one', isSecret: true }),
};

const limitAndLogSettings = {
  PARLEY_LOG_LEVEL: logLevel()
    .optional()
    .register(settingFacts, {
      flag: '--log-level <level>',
      purpose: `${LOG_LEVEL_LIST} (default info; a log on a terminal then leaves out the requests that succeed)`,
    }),
  PARLEY_RATE_TOKEN: wholeNumber(1, 1_000_000).prefault('600').register(settingFacts, {
    flag: '--rate-token <number>',
    purpose: 'requests per minute for each token (default 600)',
  }),
  PARLEY_RATE_ADDRESS: wholeNumber(1, 1_000_000).prefault('60').register(settingFacts, {
    flag: '--rate-address <number>',
    purpose: 'requests without a token per minute for each IP address (default 60)',
  }),
  PARLEY_RATE_REDEEM: wholeNumber(1, 1_000_000).prefault('10').register(settingFacts, {
    flag: '--rate-redeem <number>',
    purpose: 'redemptions of invitations per minute for each IP address (default 10)',
  }),
  PARLEY_RATE_PERSON: wholeNumber(1, 1_000_000).prefault('3000').register(settingFacts, {
    flag: '--rate-person <number>',
    purpose: 'requests of the owner API per minute for each person (default 3000)',
  }),
  PARLEY_SHARED_LIMITS: onOff().prefault('off').register(settingFacts, {
    flag: '--shared-limits <on|off>',
    words: ON_OFF,
    purpose: 'count the requests of all processes together for the rate limits (default off)',
  }),
};

const measurementSettings = {
  PARLEY_METRICS_PORT: port().optional().register(settingFacts, {
    flag: '--metrics-port <number>',
    purpose: 'separate port for /metrics, /healthz and /readyz; if unset, nothing is measured',
  }),
  PARLEY_METRICS_HOST: hostName().prefault('127.0.0.1').register(settingFacts, {
    flag: '--metrics-host <host>',
    purpose: 'address of the metrics port, which needs no key (default 127.0.0.1)',
  }),
  PARLEY_DRAIN_SECONDS: wholeNumber(0, 300).prefault('0').register(settingFacts, {
    flag: '--drain-seconds <number>',
    purpose: 'seconds after SIGTERM in which requests are still served and /readyz answers draining (default 0)',
  }),
};

const ciSettings = {
  PARLEY_CI_ISSUERS: issuerList().optional().register(settingFacts, {
    flag: '--ci-issuers <list>',
    purpose:
      'issuers of self-hosted forges whose workflows may report test runs, beside those of github.com and gitlab.com (default none)',
  }),
};

const noticeSettings = {
  PARLEY_SILENT_MINUTES: wholeNumber(1, 1_440).prefault('15').register(settingFacts, {
    flag: '--silent-minutes <number>',
    purpose: 'minutes without a call after which an agent with something to do counts as absent (default 15)',
  }),
  PARLEY_WEBHOOK_URL: webhookAddress().optional().register(settingFacts, {
    flag: '--webhook-url <url>',
    purpose: 'address to which a notice is sent by POST when something waits for you; needs PARLEY_WEBHOOK_SECRET',
    isSecret: true,
  }),
  PARLEY_WEBHOOK_SECRET: webhookSecrets()
    .optional()
    .register(settingFacts, { purpose: 'the secret that signs each webhook request', isSecret: true }),
  PARLEY_CERTIFICATE_KEYS: certificateKeys().optional().register(settingFacts, {
    purpose:
      'the key that signs certificates, then public keys that stay published; if unset, a key derived from the database',
    isSecret: true,
  }),
  PARLEY_FORGE_HOSTS: hostList().optional().register(settingFacts, {
    flag: '--forge-hosts <list|any>',
    purpose:
      'forges that may have private addresses and need no https, for commit statuses; any: every host (default none)',
  }),
};

/** Every environment variable that the server reads. */
export const Environment = z.object({
  ...networkSettings,
  ...storageSettings,
  ...signInSettings,
  ...ciSettings,
  ...limitAndLogSettings,
  ...measurementSettings,
  ...noticeSettings,
  ...retentionSettings,
});

export type Variable = keyof z.input<typeof Environment>;

/** The settings in the order of the documentation and of `parley serve --help`. */
export const SETTINGS: readonly (SettingFacts & { readonly variable: Variable })[] = Environment.keyof().options.map(
  (variable) => ({
    variable,
    purpose: '',
    ...settingFacts.get(Environment.shape[variable]),
  }),
);
