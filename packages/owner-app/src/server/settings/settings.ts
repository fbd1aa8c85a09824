import { join } from 'node:path';
import { readEnvironment, SettingsError, type SettingTexts, unlessAuto } from '@parley/http-host/program';
import type { z } from 'zod';
import type { OidcOptions, ProxyOptions } from '../company/accounts.ts';
import type { Webhook } from '../notify/notifier.ts';
import type { ArchivePlace } from '../retain/open-archive.ts';
import type { Retention } from '../retain/retention.ts';
import { Environment } from './environment.ts';

type Values = z.output<typeof Environment>;

export const databaseFolder = ({ dataFolder }: Pick<Settings, 'dataFolder'>): string => join(dataFolder, 'pg');

/**
 * Reads the settings of a server.
 *
 * @param environment usually `process.env`
 * @param flags values from the command line, by the names of the variables; they take precedence
 * @throws SettingsError with a line for each wrong value
 */
export const readSettings = (environment: SettingTexts, flags: SettingTexts = {}): Settings =>
  toSettings(readEnvironment(Environment, flags, environment));

/**
 * The settings of the webhook. A webhook without a secret is refused, because without a signature anybody could forge a
 * notice.
 */
function webhookOf({ PARLEY_WEBHOOK_URL: url, PARLEY_WEBHOOK_SECRET: secrets }: Values): Webhook | undefined {
  if (!url && !secrets) return undefined;
  const [address, secret] = ['PARLEY_WEBHOOK_URL (--webhook-url)', 'PARLEY_WEBHOOK_SECRET'] as const;
  return { url: url ?? fails(missing(address, secret)), secrets: secrets ?? fails(missing(secret, address)) };
}

/**
 * The settings of the OpenID provider. If the issuer is set but another necessary setting is missing, throws
 * SettingsError.
 */
function oidcOf(values: Values): OidcOptions | undefined {
  const issuer = values.PARLEY_OIDC_ISSUER;
  if (issuer === undefined) {
    for (const name of ['PARLEY_OIDC_CLIENT_ID', 'PARLEY_OIDC_CLIENT_SECRET'] as const)
      if (values[name] !== undefined) throw missing('PARLEY_OIDC_ISSUER (--oidc-issuer)', name);
    return undefined;
  }
  const needed = 'PARLEY_OIDC_ISSUER (--oidc-issuer)';
  return {
    issuer,
    clientId: values.PARLEY_OIDC_CLIENT_ID ?? fails(missing('PARLEY_OIDC_CLIENT_ID (--oidc-client-id)', needed)),
    clientSecret: values.PARLEY_OIDC_CLIENT_SECRET,
    scope: values.PARLEY_OIDC_SCOPE,
    groupsClaim: values.PARLEY_OIDC_GROUPS_CLAIM,
    roles: values.PARLEY_OIDC_ROLES ?? fails(missing('PARLEY_OIDC_ROLES (--oidc-roles)', needed)),
    publicUrl: values.PARLEY_PUBLIC_URL ?? fails(missing('PARLEY_PUBLIC_URL (--public-url)', needed)),
  };
}

/**
 * The settings of a proxy that signs people in. A trusted proxy and a secret are necessary, because otherwise anybody
 * could send the header.
 */
function proxySignInOf(values: Values): ProxyOptions | undefined {
  const userHeader = values.PARLEY_AUTH_HEADER;
  if (userHeader === undefined) {
    if (values.PARLEY_AUTH_SECRET) throw missing('PARLEY_AUTH_HEADER (--auth-header)', 'PARLEY_AUTH_SECRET');
    return undefined;
  }
  const needed = 'PARLEY_AUTH_HEADER (--auth-header)';
  const groupsHeader = values.PARLEY_AUTH_GROUPS_HEADER;
  if (groupsHeader.toLowerCase() === userHeader.toLowerCase())
    throw new SettingsError(
      'PARLEY_AUTH_HEADER (--auth-header) and PARLEY_AUTH_GROUPS_HEADER must name two different headers',
    );
  return {
    userHeader,
    groupsHeader,
    secret: values.PARLEY_AUTH_SECRET ?? fails(missing('PARLEY_AUTH_SECRET', needed)),
    roles: values.PARLEY_OIDC_ROLES ?? fails(missing('PARLEY_OIDC_ROLES (--oidc-roles)', needed)),
    trustedProxies:
      values.PARLEY_TRUSTED_PROXIES ?? fails(missing('PARLEY_TRUSTED_PROXIES (--trusted-proxies)', needed)),
  };
}

const missing = (name: string, needing: string): SettingsError =>
  new SettingsError(`${name} is missing; ${needing} needs it`);

function fails(error: SettingsError): never {
  throw error;
}

/** The settings of the retention. Days and archive must both be set, because no session is erased without an export. */
function retentionOf(values: Values): Retention | undefined {
  const { PARLEY_RETAIN_DAYS: days, PARLEY_RETAIN_TO: to } = values;
  if (days !== undefined && to !== undefined) return { days, to: archiveOf(to, values) };
  if (days !== undefined) throw missing('PARLEY_RETAIN_TO (--retain-to)', 'PARLEY_RETAIN_DAYS (--retain-days)');
  if (to !== undefined) throw missing('PARLEY_RETAIN_DAYS (--retain-days)', 'PARLEY_RETAIN_TO (--retain-to)');
  return undefined;
}

/** The archive with its address and credentials. */
function archiveOf(to: NonNullable<Values['PARLEY_RETAIN_TO']>, values: Values): ArchivePlace {
  if (to.kind === 'folder') return to;
  const { AWS_ENDPOINT_URL_S3: endpoint, PARLEY_S3_PATH_STYLE: pathStyle } = values;
  const needed = 's3: in PARLEY_RETAIN_TO (--retain-to)';
  return {
    ...to,
    endpoint,
    region: values.AWS_REGION,
    // A bucket name with a dot must be in the path, because as part of a host name it does not match the TLS
    // certificate.
    isPathStyle: unlessAuto(pathStyle) ?? (endpoint !== undefined || to.bucket.includes('.')),
    accessKeyId: values.AWS_ACCESS_KEY_ID ?? fails(missing('AWS_ACCESS_KEY_ID', needed)),
    secretAccessKey: values.AWS_SECRET_ACCESS_KEY ?? fails(missing('AWS_SECRET_ACCESS_KEY', needed)),
    sessionToken: values.AWS_SESSION_TOKEN,
  };
}

function hintsOf({ PARLEY_HINTS: hints, REDIS_URL: url }: Values) {
  if (hints === 'redis' && !url)
    throw new SettingsError(
      'REDIS_URL (--redis-url) is missing: it is required because PARLEY_HINTS (--hints) is redis',
    );
  return hints ?? (url ? 'redis' : 'notify');
}

/** The host names for which the server answers. Undefined: for every name. */
function hostNamesOf({ HOST: host, PARLEY_PUBLIC_URL: publicUrl, PARLEY_HOSTS: hosts = [] }: Values) {
  if (hosts === 'any') return undefined;
  return [host, ...(publicUrl ? [new URL(publicUrl).hostname] : []), ...hosts];
}

/** All settings of a server. One that is undefined is off; of `pgPrepared` and `pgSharded`, the storage then finds it out. */
const toSettings = (values: Values) => ({
  port: values.PORT,
  host: values.HOST,
  dataFolder: values.PARLEY_DATA,
  databaseUrl: values.DATABASE_URL,
  ownerKey: values.PARLEY_OWNER_KEY,
  publicUrl: values.PARLEY_PUBLIC_URL,
  hostNames: hostNamesOf(values),
  trustedProxies: values.PARLEY_TRUSTED_PROXIES ?? [],
  pathTokens: values.PARLEY_PATH_TOKENS,
  compression: values.PARLEY_COMPRESSION,
  logLevel: values.PARLEY_LOG_LEVEL ?? 'info',
  logsSuccesses: values.PARLEY_LOG_LEVEL !== undefined,
  limits: {
    perToken: values.PARLEY_RATE_TOKEN,
    perAddress: values.PARLEY_RATE_ADDRESS,
    redeemPerAddress: values.PARLEY_RATE_REDEEM,
    perPerson: values.PARLEY_RATE_PERSON,
    silentAfterMs: values.PARLEY_SILENT_MINUTES * 60_000,
  },
  sharedLimits: values.PARLEY_SHARED_LIMITS,
  pgPrepared: unlessAuto(values.PARLEY_PG_PREPARED),
  pgDirectUrl: values.PARLEY_PG_DIRECT_URL,
  pgPool: values.PARLEY_PG_POOL,
  pgGroupMax: values.PARLEY_PG_GROUP_MAX,
  pgSharded: unlessAuto(values.PARLEY_PG_SHARDED),
  redisUrl: values.REDIS_URL,
  hints: hintsOf(values),
  metrics:
    values.PARLEY_METRICS_PORT === undefined
      ? undefined
      : { port: values.PARLEY_METRICS_PORT, host: values.PARLEY_METRICS_HOST, hostNames: hostNamesOf(values) },
  cacheBytes: values.PARLEY_CACHE_MB * 1024 * 1024,
  drainSeconds: values.PARLEY_DRAIN_SECONDS,
  ciIssuers: values.PARLEY_CI_ISSUERS ?? [],
  webhook: webhookOf(values),
  forgeHosts: values.PARLEY_FORGE_HOSTS,
  oidc: oidcOf(values),
  proxySignIn: proxySignInOf(values),
  certificateKeys: values.PARLEY_CERTIFICATE_KEYS,
  retention: retentionOf(values),
});

export type Settings = Readonly<ReturnType<typeof toSettings>>;
