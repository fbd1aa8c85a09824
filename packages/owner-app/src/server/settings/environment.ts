import { isAbsolute } from 'node:path';
import { type GivenKeys, isPublicKey } from '@parley/core';
import {
  AUTO_ON_OFF,
  connection,
  hostName,
  LOG_LEVEL_LIST,
  logLevel,
  matching,
  oneOf,
  onOff,
  parseUrl,
  port,
  postgresUrl,
  proxyList,
  rootAddress,
  type SettingFacts,
  setting,
  settingFacts,
  webAddress,
  wholeNumber,
} from '@parley/http-host/program';
import { z } from 'zod';
import { isLoopback } from '../../text/joining.ts';
import { OWNER_KEY_FORM } from '../access/owner-key.ts';
import { parseRoles } from '../company/role-mapping.ts';
import { signingKey } from '../notify/post.ts';

/**
 * The address of a webhook. Its path or query may contain a secret. A user name, a password or a fragment is refused.
 */
const webhookAddress = () =>
  setting('an address such as https://example.com/parley', (text) => {
    const url = parseUrl(text, ['http:', 'https:']);
    return url && url.hash === '' && url.username === '' && url.password === '' ? url.href : undefined;
  });

/**
 * A secret, or several secrets separated by spaces. While a new secret replaces an old secret, the setting contains
 * both.
 */
const webhookSecrets = () =>
  setting('whsec_ followed by 24 to 64 random bytes in base64', (text): readonly string[] | undefined => {
    const secrets = text.split(/\s+/);
    return secrets.every((secret) => signingKey(secret) !== undefined) ? secrets : undefined;
  });

const SIGNING_KEY = /^certkey_([A-Za-z0-9+/]{43}=)$/;

/** The key that signs certificates, and the public keys of earlier certificates, separated by spaces. */
const certificateKeys = () =>
  setting(
    'certkey_ and 32 random bytes in base64, then, separated by spaces, the x of public keys that stay published',
    (text): GivenKeys | undefined => {
      const [own = '', ...retired] = text.split(/\s+/);
      const [, seed] = SIGNING_KEY.exec(own) ?? [];
      return seed && retired.every(isPublicKey) ? { signs: Buffer.from(seed, 'base64'), retired } : undefined;
    },
  );

/**
 * The issuer of an OpenID provider, exactly as the provider's configuration contains it. An address without TLS is
 * accepted only for this machine.
 */
const issuerAddress = () =>
  setting('an address such as https://login.example.com/realms/company', (text) => (isIssuer(text) ? text : undefined));

function isIssuer(text: string): boolean {
  const url = parseUrl(text, ['http:', 'https:']);
  const isPlain = url && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return isPlain === true && (url.protocol === 'https:' || isLoopback(url.href));
}

const issuerList = () =>
  setting(
    'addresses separated by commas, such as https://gitlab.example.com',
    (text): readonly string[] | undefined => {
      const issuers = text.split(',').map((issuer) => issuer.trim());
      return issuers.every(isIssuer) ? issuers : undefined;
    },
  );

const roleMapping = () =>
  setting(
    'groups and their roles, such as parley-admins=approver,developers=operator,*=viewer, where * is everybody',
    parseRoles,
  );

/** Headers that already have another meaning for this service or for proxies. The settings refuse these names. */
const OTHER_HEADERS = new Set([
  'authorization',
  'cookie',
  'host',
  'origin',
  'parley-page-key',
  'parley-proxy-secret',
  'x-forwarded-for',
]);

/** The name of a header in which a proxy sends the user or the groups. */
const headerName = () =>
  setting('the name of a header such as X-Forwarded-User', (text) =>
    /^[A-Za-z][A-Za-z\d-]{0,99}$/.test(text) && !OTHER_HEADERS.has(text.toLowerCase()) ? text : undefined,
  );

const S3_ADDRESS = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/((?:[\w.-]+\/)*[\w.-]+)?\/?)?$/;

/**
 * The absolute path of a folder, or a bucket and the beginning of its keys. A relative path is refused, because it
 * would depend on the folder in which the server starts.
 */
const archivePlace = () =>
  setting('the absolute path of a folder, or an address such as s3://bucket/prefix', (text) => {
    if (text.length > 4_096) return undefined;
    if (isAbsolute(text)) return { kind: 'folder', folder: text } as const;
    const [, bucket, path = ''] = S3_ADDRESS.exec(text) ?? [];
    if (!bucket || path.length > 800 || path.split('/').some((part) => part === '.' || part === '..')) return undefined;
    return { kind: 's3', bucket, prefix: path && `${path}/` } as const;
  });

const HOST_NAME = /^[a-z\d](?:[\w-]*[a-z\d])?(?:\.[a-z\d](?:[\w-]*[a-z\d])?)*$/i;

/** A list of host names without ports. */
const hostList = () =>
  setting(
    'host names separated by commas, such as parley.internal,agents.example.com, or the word any',
    (text): readonly string[] | 'any' | undefined => {
      if (text === 'any') return text;
      const names = text.split(',').map((name) => name.trim());
      return names.every((name) => HOST_NAME.test(name)) ? names : undefined;
    },
  );

/** The settings for the erasure of ended sessions, and for the archive to which these sessions are exported. */
const retentionSettings = {
  PARLEY_RETAIN_DAYS: wholeNumber(1, 36_500).optional().register(settingFacts, {
    flag: '--retain-days <number>',
    purpose: 'export and erase each session this many days after its end; if unset, no session is erased',
  }),
  PARLEY_RETAIN_TO: archivePlace().optional().register(settingFacts, {
    flag: '--retain-to <place>',
    purpose:
      'folder or s3://bucket/prefix to which a session is exported before it is erased; needs PARLEY_RETAIN_DAYS',
  }),
  AWS_ENDPOINT_URL_S3: webAddress().optional().register(settingFacts, {
    flag: '--s3-endpoint <url>',
    purpose: 'address of an S3-compatible store for PARLEY_RETAIN_TO; if unset, the store is Amazon S3',
  }),
  AWS_REGION: matching('the name of a region such as eu-central-1', /^[a-z\d-]{1,60}$/i)
    .prefault('us-east-1')
    .register(settingFacts, { flag: '--s3-region <name>', purpose: 'region of the bucket (default us-east-1)' }),
  PARLEY_S3_PATH_STYLE: oneOf(AUTO_ON_OFF).prefault('auto').register(settingFacts, {
    flag: '--s3-path-style <auto|on|off>',
    words: AUTO_ON_OFF,
    purpose:
      'whether the bucket is in the path of the address, not in the host name; auto: only if AWS_ENDPOINT_URL_S3 is set (default auto)',
  }),
  AWS_ACCESS_KEY_ID: matching('the id of an access key of the store', /^[\x21-\x7E]{1,200}$/)
    .optional()
    .register(settingFacts, {
      purpose: 'id of the access key with which the bucket is written and read',
      isSecret: true,
    }),
  AWS_SECRET_ACCESS_KEY: matching('the secret of an access key of the store', /^[\x21-\x7E]{1,500}$/)
    .optional()
    .register(settingFacts, { purpose: 'secret of the access key', isSecret: true }),
  AWS_SESSION_TOKEN: matching('the session token of temporary credentials', /^[\x21-\x7E]{1,8000}$/)
    .optional()
    .register(settingFacts, { purpose: 'session token, if the access key is temporary', isSecret: true }),
};

/** The settings of the sign-in with company accounts: at an OpenID provider, or by the header of a proxy. */
const signInSettings = {
  PARLEY_OIDC_ISSUER: issuerAddress().optional().register(settingFacts, {
    flag: '--oidc-issuer <url>',
    purpose:
      'OpenID provider that signs people in; needs PARLEY_PUBLIC_URL, PARLEY_OIDC_CLIENT_ID and PARLEY_OIDC_ROLES',
  }),
  PARLEY_OIDC_CLIENT_ID: matching('the client id that the provider gave this service', /^[\x21-\x7E]{1,500}$/)
    .optional()
    .register(settingFacts, { flag: '--oidc-client-id <id>', purpose: 'client id of this service at the provider' }),
  PARLEY_OIDC_CLIENT_SECRET: matching('the secret that the provider gave this service', /^[\x20-\x7E]{1,1000}$/)
    .optional()
    .register(settingFacts, {
      purpose: 'secret of this service at the provider; if unset, this service is a public client',
      isSecret: true,
    }),
  PARLEY_OIDC_ROLES: roleMapping().optional().register(settingFacts, {
    flag: '--oidc-roles <list>',
    purpose:
      'role of each group, such as parley-admins=approver,developers=operator,*=viewer; * is everybody; used for PARLEY_AUTH_HEADER too',
  }),
  PARLEY_OIDC_GROUPS_CLAIM: matching('the name of a claim', /^[\x21-\x7E]{1,200}$/)
    .prefault('groups')
    .register(settingFacts, {
      flag: '--oidc-groups-claim <name>',
      purpose: 'claim that lists the groups of a person (default groups)',
    }),
  PARLEY_OIDC_SCOPE: matching(
    'scopes separated by spaces, one of which is openid',
    /^(?=(?:.* )?openid(?: |$))[\x21-\x7E ]{6,500}$/,
  )
    .prefault('openid profile email')
    .register(settingFacts, {
      flag: '--oidc-scope <list>',
      purpose: 'scopes that are requested from the provider (default openid profile email)',
    }),
  PARLEY_AUTH_HEADER: headerName().optional().register(settingFacts, {
    flag: '--auth-header <name>',
    purpose:
      'header in which a trusted proxy names the user, such as X-Forwarded-User; needs PARLEY_TRUSTED_PROXIES, PARLEY_AUTH_SECRET and PARLEY_OIDC_ROLES',
  }),
  PARLEY_AUTH_GROUPS_HEADER: headerName().prefault('X-Forwarded-Groups').register(settingFacts, {
    flag: '--auth-groups-header <name>',
    purpose: 'header in which the proxy lists the groups of the user, separated by commas (default X-Forwarded-Groups)',
  }),
  PARLEY_AUTH_SECRET: matching('32 to 200 letters, digits and signs without spaces', /^[\x21-\x7E]{32,200}$/)
    .optional()
    .register(settingFacts, {
      purpose:
        'secret that the proxy sends in the header Parley-Proxy-Secret; without it the service refuses the user that the proxy names',
      isSecret: true,
    }),
};

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
