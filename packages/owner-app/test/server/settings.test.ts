import { SettingsError } from '@parley/http-host/program';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../src/server/settings/settings.ts';

const fault = (environment: Record<string, string>): string => {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
  }
  return '';
};

describe('settings', () => {
  test('have a default for everything that has to be there', () => {
    expect(readSettings({})).toEqual({
      port: 4100,
      host: '127.0.0.1',
      dataFolder: '.parley',
      databaseUrl: undefined,
      ownerKey: undefined,
      publicUrl: undefined,
      hostNames: ['127.0.0.1'],
      trustedProxies: [],
      pathTokens: true,
      compression: true,
      logLevel: 'info',
      logsSuccesses: false,
      limits: { perToken: 600, perAddress: 60, redeemPerAddress: 10, perPerson: 3000, silentAfterMs: 900_000 },
      sharedLimits: false,
      pgPrepared: undefined,
      pgDirectUrl: undefined,
      pgPool: 10,
      pgGroupMax: 64,
      pgSharded: undefined,
      redisUrl: undefined,
      hints: 'notify',
      metrics: undefined,
      cacheBytes: 146_800_640,
      drainSeconds: 0,
      ciIssuers: [],
      webhook: undefined,
      oidc: undefined,
      proxySignIn: undefined,
      retention: undefined,
    });
  });

  test.each([
    [{ PARLEY_PG_SHARDED: 'on' }, true],
    [{ PARLEY_PG_SHARDED: 'off' }, false],
    [{ PARLEY_PG_SHARDED: 'auto' }, undefined],
    [{ PARLEY_PG_GROUP_MAX: '1' }, undefined],
  ])('%o: statements for a sharded database %s', (environment, pgSharded) => {
    expect(readSettings(environment)).toMatchObject({ pgSharded });
  });

  test('take the flag before the environment, and an empty text as none', () => {
    expect(readSettings({ PORT: '5000', HOST: '' }, { PORT: '6000' })).toMatchObject({ port: 6000, host: '127.0.0.1' });
  });

  test('read every form', () => {
    const settings = readSettings({
      PORT: '0',
      HOST: '::1',
      PARLEY_PUBLIC_URL: 'https://parley.example.com/',
      PARLEY_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,127.0.0.1',
      PARLEY_PATH_TOKENS: 'off',
      PARLEY_COMPRESSION: 'off',
      PARLEY_RATE_TOKEN: '1200',
      PARLEY_METRICS_PORT: '9464',
      PARLEY_METRICS_HOST: '0.0.0.0',
      PARLEY_DRAIN_SECONDS: '20',
      PARLEY_CACHE_MB: '32',
      DATABASE_URL: 'postgres://parley:secret@db/parley',
      PARLEY_PG_DIRECT_URL: 'postgres://parley:secret@primary/parley',
    });
    expect(settings).toMatchObject({
      port: 0,
      host: '::1',
      publicUrl: 'https://parley.example.com',
      metrics: { port: 9464, host: '0.0.0.0' },
      drainSeconds: 20,
      cacheBytes: 33_554_432,
      trustedProxies: ['10.0.0.0/8', 'fd00::/8', '127.0.0.1'],
      pathTokens: false,
      compression: false,
      limits: { perToken: 1200 },
      databaseUrl: 'postgres://parley:secret@db/parley',
      pgDirectUrl: 'postgres://parley:secret@primary/parley',
    });
  });

  test.each([
    [{ PORT: 'abc' }, 'PORT (--port) is "abc"; expected a whole number from 0 to 65535'],
    [{ PORT: '65536' }, 'PORT (--port) is "65536"; expected a whole number from 0 to 65535'],
    [{ PARLEY_PATH_TOKENS: 'yes' }, 'PARLEY_PATH_TOKENS (--path-tokens) is "yes"; expected on or off'],
    [
      { PARLEY_LOG_LEVEL: 'loud' },
      'PARLEY_LOG_LEVEL (--log-level) is "loud"; expected one of fatal, error, warn, info, debug, trace, silent',
    ],
    [
      { PARLEY_TRUSTED_PROXIES: '10.0.0.0/64' },
      'PARLEY_TRUSTED_PROXIES (--trusted-proxies) is "10.0.0.0/64"; expected addresses or networks separated by commas, such as 10.0.0.0/8,127.0.0.1',
    ],
    [
      { PARLEY_PUBLIC_URL: 'https://example.com/parley/' },
      'PARLEY_PUBLIC_URL (--public-url) is "https://example.com/parley/"; expected an address without a path, such as https://parley.example.com',
    ],
    [
      { PARLEY_PUBLIC_URL: 'parley.example.com' },
      'PARLEY_PUBLIC_URL (--public-url) is "parley.example.com"; expected an address without a path, such as https://parley.example.com',
    ],
    [{ PARLEY_RATE_TOKEN: '0' }, 'PARLEY_RATE_TOKEN (--rate-token) is "0"; expected a whole number from 1 to 1000000'],
  ])('%j stops the start with one line', (environment, line) => {
    expect(fault(environment)).toBe(line);
  });

  test.each([
    [{ PARLEY_PUBLIC_URL: 'https://parley.example.com:8443/' }, ['127.0.0.1', 'parley.example.com']],
    [
      { HOST: 'parley.lan', PARLEY_PUBLIC_URL: 'https://parley.example.com', PARLEY_HOSTS: 'b.example, c-d.example' },
      ['parley.lan', 'parley.example.com', 'b.example', 'c-d.example'],
    ],
    [{ PARLEY_PUBLIC_URL: 'https://parley.example.com', PARLEY_HOSTS: 'any' }, undefined],
  ])('%j is served under these names', (environment, hostNames) => {
    expect(readSettings(environment).hostNames).toEqual(hostNames);
  });

  test.each(['https://b.example', 'b.example:8443', 'b.example,', 'b example', '*', '-b.example'])(
    'take no host name "%s"',
    (text) => {
      expect(fault({ PARLEY_HOSTS: text })).toBe(
        `PARLEY_HOSTS (--hosts) is "${text}"; expected host names separated by commas, such as parley.internal,agents.example.com, or the word any`,
      );
    },
  );

  test.each([
    [{}, 'notify'],
    [{ REDIS_URL: 'redis://127.0.0.1:6379' }, 'redis'],
    [{ REDIS_URL: 'rediss://:secret@redis:6380', PARLEY_HINTS: 'notify' }, 'notify'],
    [{ REDIS_URL: 'redis://127.0.0.1:6379', PARLEY_HINTS: 'off' }, 'off'],
  ])('%j has its hints by %s', (environment, hints) => {
    expect(readSettings(environment).hints).toBe(hints);
  });

  test('have no hints by Redis without one', () => {
    expect(fault({ PARLEY_HINTS: 'redis' })).toBe(
      'REDIS_URL (--redis-url) is missing: it is required because PARLEY_HINTS (--hints) is redis',
    );
  });

  test('erase sessions only with days and a folder for the exports', () => {
    const given = { PARLEY_RETAIN_DAYS: '365', PARLEY_RETAIN_TO: '/var/lib/archive' };
    expect(readSettings(given).retention).toEqual({
      days: 365,
      to: { kind: 'folder', folder: '/var/lib/archive' },
    });
    expect(() => readSettings({ PARLEY_RETAIN_DAYS: '365' })).toThrow('PARLEY_RETAIN_TO (--retain-to) is missing');
    expect(() => readSettings({ PARLEY_RETAIN_TO: '/x' })).toThrow('PARLEY_RETAIN_DAYS (--retain-days) is missing');
    expect(() => readSettings({ ...given, PARLEY_RETAIN_DAYS: '0' })).toThrow('PARLEY_RETAIN_DAYS');
    expect(() => readSettings({ ...given, PARLEY_RETAIN_TO: 'archive' })).toThrow('the absolute path of a folder');
  });

  test('export sessions to a bucket only with credentials', () => {
    const given = { PARLEY_RETAIN_DAYS: '365', PARLEY_RETAIN_TO: 's3://archive/parley/ended/' };
    const credentials = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret' };
    const place = {
      kind: 's3',
      bucket: 'archive',
      prefix: 'parley/ended/',
      endpoint: undefined,
      region: 'us-east-1',
      isPathStyle: false,
      accessKeyId: 'AKIA',
      secretAccessKey: 'secret',
      sessionToken: undefined,
    };
    const to = (more: Record<string, string> = {}) => readSettings({ ...given, ...credentials, ...more }).retention?.to;
    expect(to()).toEqual(place);
    expect(to({ PARLEY_RETAIN_TO: 's3://archive' })).toEqual({ ...place, prefix: '' });
    expect(to({ PARLEY_RETAIN_TO: 's3://a.b.c/' })).toEqual({
      ...place,
      bucket: 'a.b.c',
      prefix: '',
      isPathStyle: true,
    });
    const endpoint = 'http://minio:9000';
    const store = { AWS_ENDPOINT_URL_S3: `${endpoint}/`, AWS_REGION: 'eu-west-1', AWS_SESSION_TOKEN: 'token' };
    const stored = { ...place, endpoint, region: 'eu-west-1', isPathStyle: true, sessionToken: 'token' };
    expect(to(store)).toEqual(stored);
    expect(to({ ...store, PARLEY_S3_PATH_STYLE: 'off' })).toEqual({ ...stored, isPathStyle: false });
    expect(fault(given)).toBe('AWS_ACCESS_KEY_ID is missing; s3: in PARLEY_RETAIN_TO (--retain-to) needs it');
    expect(fault({ ...given, AWS_ACCESS_KEY_ID: 'AKIA' })).toBe(
      'AWS_SECRET_ACCESS_KEY is missing; s3: in PARLEY_RETAIN_TO (--retain-to) needs it',
    );
  });

  test.each([
    ...['s3://', 's3://A/x', 's3://archive//x', 's3://archive/../x', 's3://archive/a?b'].map((to) => [to, to]),
    ['s3://key@archive/x', '***@archive/x'],
  ])('export sessions not to %j', (to, shown) => {
    expect(fault({ PARLEY_RETAIN_DAYS: '365', PARLEY_RETAIN_TO: to })).toBe(
      `PARLEY_RETAIN_TO (--retain-to) is "${shown}"; expected the absolute path of a folder, or an address such as s3://bucket/prefix`,
    );
  });

  test('have a webhook only where notices can be signed', () => {
    const secret = `whsec_${'A'.repeat(32)}`;
    const other = `whsec_${'B'.repeat(32)}`;
    const url = 'https://example.com/hooks/parley?to=me';
    expect(readSettings({ PARLEY_WEBHOOK_URL: url, PARLEY_WEBHOOK_SECRET: secret }).webhook).toEqual({
      url,
      secrets: [secret],
    });
    expect(readSettings({ PARLEY_WEBHOOK_URL: url, PARLEY_WEBHOOK_SECRET: `${secret} ${other}` }).webhook).toEqual({
      url,
      secrets: [secret, other],
    });
    expect(fault({ PARLEY_WEBHOOK_URL: url })).toBe(
      'PARLEY_WEBHOOK_SECRET is missing; PARLEY_WEBHOOK_URL (--webhook-url) needs it',
    );
    expect(fault({ PARLEY_WEBHOOK_SECRET: secret })).toBe(
      'PARLEY_WEBHOOK_URL (--webhook-url) is missing; PARLEY_WEBHOOK_SECRET needs it',
    );
  });

  test.each([
    'whsec_',
    `whsec_${'A'.repeat(31)}`,
    `whsec_${'A'.repeat(28)}`,
    `whsec_${'A'.repeat(88)}`,
    'A'.repeat(32),
    `whsec_${'A'.repeat(32)},whsec_${'B'.repeat(32)}`,
  ])('take %j for no secret of a webhook', (PARLEY_WEBHOOK_SECRET) => {
    expect(fault({ PARLEY_WEBHOOK_URL: 'https://example.com', PARLEY_WEBHOOK_SECRET })).toContain('is not valid');
  });

  test('name every wrong value, each on its line', () => {
    expect(fault({ PORT: 'x', PARLEY_SHARED_LIMITS: 'x' }).split('\n')).toHaveLength(2);
  });

  test('take the key that signs certificates, and the public keys that stay published', () => {
    const [seed, x] = [Buffer.alloc(32, 1), '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'];
    const own = `certkey_${seed.toString('base64')}`;
    const keysOf = (PARLEY_CERTIFICATE_KEYS: string) => readSettings({ PARLEY_CERTIFICATE_KEYS }).certificateKeys;
    expect(keysOf(own)).toEqual({ signs: seed, retired: [] });
    expect(keysOf(`${own} ${x}`)).toEqual({ signs: seed, retired: [x] });
    for (const wrong of [x, `${own} ${own}`, `${own} ${x}x`, `certkey_${Buffer.alloc(31).toString('base64')}`])
      expect(() => keysOf(wrong)).toThrow('PARLEY_CERTIFICATE_KEYS is not valid');
  });

  test('never repeat a secret', () => {
    const text = fault({
      PARLEY_OWNER_KEY: 'pok_short-secret',
      DATABASE_URL: 'mysql://root:hunter2@db',
      REDIS_URL: 'hunter3',
      PARLEY_WEBHOOK_URL: 'https://ada:hunter4@example.com',
      PARLEY_WEBHOOK_SECRET: 'whsec_hunter5',
      PARLEY_CERTIFICATE_KEYS: 'certkey_hunter9',
      AWS_ACCESS_KEY_ID: 'hunter 6',
      AWS_SECRET_ACCESS_KEY: 'hunter 7',
      AWS_SESSION_TOKEN: 'hunter 8',
    });
    expect(text.split('\n')).toEqual([
      'DATABASE_URL (--database-url) is not valid; expected postgres://user:password@host:5432/database',
      'REDIS_URL (--redis-url) is not valid; expected redis://host:6379',
      'PARLEY_OWNER_KEY is not valid; expected pok_ followed by 32 to 200 letters, digits, _ or -',
      'PARLEY_WEBHOOK_URL (--webhook-url) is not valid; expected an address such as https://example.com/parley',
      'PARLEY_WEBHOOK_SECRET is not valid; expected whsec_ followed by 24 to 64 random bytes in base64',
      'PARLEY_CERTIFICATE_KEYS is not valid; expected certkey_ and 32 random bytes in base64, then, separated by spaces, the x of public keys that stay published',
      'AWS_ACCESS_KEY_ID is not valid; expected the id of an access key of the store',
      'AWS_SECRET_ACCESS_KEY is not valid; expected the secret of an access key of the store',
      'AWS_SESSION_TOKEN is not valid; expected the session token of temporary credentials',
    ]);
  });
});

describe('the settings of the sign-in with a company account', () => {
  const OIDC = {
    PARLEY_PUBLIC_URL: 'https://parley.example.com/',
    PARLEY_OIDC_ISSUER: 'https://login.example.com/realms/company',
    PARLEY_OIDC_CLIENT_ID: 'parley',
    PARLEY_OIDC_ROLES: 'parley-admins=approver,*=viewer',
  };
  const PROXY = {
    PARLEY_AUTH_HEADER: 'X-Forwarded-User',
    PARLEY_AUTH_SECRET: 's'.repeat(32),
    PARLEY_TRUSTED_PROXIES: '10.0.0.0/8',
    PARLEY_OIDC_ROLES: 'developers=operator',
  };
  const without = (settings: Record<string, string>, name: string) =>
    Object.fromEntries(Object.entries(settings).filter(([one]) => one !== name));

  test('are those of a provider', () => {
    expect(readSettings({ ...OIDC, PARLEY_OIDC_CLIENT_SECRET: 'a b' }).oidc).toEqual({
      issuer: 'https://login.example.com/realms/company',
      clientId: 'parley',
      clientSecret: 'a b',
      scope: 'openid profile email',
      groupsClaim: 'groups',
      roles: new Map([
        ['parley-admins', 'approver'],
        ['*', 'viewer'],
      ]),
      publicUrl: 'https://parley.example.com',
    });
    const local = { ...OIDC, PARLEY_OIDC_ISSUER: 'http://127.0.0.1:8080', PARLEY_OIDC_GROUPS_CLAIM: 'roles' };
    expect(readSettings(local).oidc).toMatchObject({
      issuer: 'http://127.0.0.1:8080',
      clientSecret: undefined,
      groupsClaim: 'roles',
    });
  });

  test('are those of a proxy', () => {
    expect(readSettings(PROXY).proxySignIn).toEqual({
      userHeader: 'X-Forwarded-User',
      groupsHeader: 'X-Forwarded-Groups',
      secret: 's'.repeat(32),
      roles: new Map([['developers', 'operator']]),
      trustedProxies: ['10.0.0.0/8'],
    });
  });

  test.each([
    [
      without(OIDC, 'PARLEY_PUBLIC_URL'),
      'PARLEY_PUBLIC_URL (--public-url) is missing; PARLEY_OIDC_ISSUER (--oidc-issuer) needs it',
    ],
    [
      without(OIDC, 'PARLEY_OIDC_CLIENT_ID'),
      'PARLEY_OIDC_CLIENT_ID (--oidc-client-id) is missing; PARLEY_OIDC_ISSUER (--oidc-issuer) needs it',
    ],
    [
      without(OIDC, 'PARLEY_OIDC_ROLES'),
      'PARLEY_OIDC_ROLES (--oidc-roles) is missing; PARLEY_OIDC_ISSUER (--oidc-issuer) needs it',
    ],
    [
      without(OIDC, 'PARLEY_OIDC_ISSUER'),
      'PARLEY_OIDC_ISSUER (--oidc-issuer) is missing; PARLEY_OIDC_CLIENT_ID needs it',
    ],
    [
      { PARLEY_OIDC_CLIENT_SECRET: 'x' },
      'PARLEY_OIDC_ISSUER (--oidc-issuer) is missing; PARLEY_OIDC_CLIENT_SECRET needs it',
    ],
    [
      without(PROXY, 'PARLEY_AUTH_SECRET'),
      'PARLEY_AUTH_SECRET is missing; PARLEY_AUTH_HEADER (--auth-header) needs it',
    ],
    [
      without(PROXY, 'PARLEY_TRUSTED_PROXIES'),
      'PARLEY_TRUSTED_PROXIES (--trusted-proxies) is missing; PARLEY_AUTH_HEADER (--auth-header) needs it',
    ],
    [
      without(PROXY, 'PARLEY_OIDC_ROLES'),
      'PARLEY_OIDC_ROLES (--oidc-roles) is missing; PARLEY_AUTH_HEADER (--auth-header) needs it',
    ],
    [
      without(PROXY, 'PARLEY_AUTH_HEADER'),
      'PARLEY_AUTH_HEADER (--auth-header) is missing; PARLEY_AUTH_SECRET needs it',
    ],
    [
      { ...PROXY, PARLEY_AUTH_GROUPS_HEADER: 'x-forwarded-user' },
      'PARLEY_AUTH_HEADER (--auth-header) and PARLEY_AUTH_GROUPS_HEADER must name two different headers',
    ],
  ])('are refused as %j', (settings, message) => {
    expect(fault(settings)).toBe(message);
  });

  test.each([
    ['PARLEY_OIDC_ISSUER', 'http://login.example.com'],
    ['PARLEY_OIDC_ISSUER', 'login.example.com'],
    ['PARLEY_OIDC_ISSUER', 'https://user:pass@login.example.com'],
    ['PARLEY_OIDC_ROLES', 'parley-admins=owner'],
    ['PARLEY_OIDC_SCOPE', 'profile'],
    ['PARLEY_AUTH_HEADER', 'Authorization'],
    ['PARLEY_AUTH_HEADER', 'Cookie'],
    ['PARLEY_AUTH_HEADER', 'X User'],
    ['PARLEY_AUTH_SECRET', 'short'],
  ])('are refused if %s is %j', (name, value) => {
    expect(fault({ ...OIDC, ...PROXY, [name]: value })).toContain(name);
  });
});
