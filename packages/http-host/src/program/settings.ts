import { z } from 'zod';
import { networkTest } from '../request-head.ts';

/** The facts about a setting that the help text and the documents show. */
export interface SettingFacts {
  /** The flag, such as `--port <number>`. Absent if only an environment variable can set it. */
  readonly flag?: string;
  readonly purpose: string;
  /** All values that the setting accepts. Absent if there are many. */
  readonly words?: readonly string[];
  /** True if the value is a secret, which error messages must not repeat. */
  readonly isSecret?: true;
}

/** The facts of each setting. The key is the setting's schema. */
export const settingFacts = z.registry<SettingFacts>();

/** The text of each setting, by the name of its environment variable. An empty text counts as missing. */
export type SettingTexts = Readonly<Record<string, string | undefined>>;

/**
 * Thrown if settings are wrong. The program then does not start. Each line of the message names a setting, its fault,
 * and the expected value.
 */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reads settings. If several sources contain a setting, the first of them is used.
 *
 * @param environment an object schema with a member for each variable
 * @throws SettingsError with a line for each wrong value
 */
export function readEnvironment<T extends z.ZodObject>(
  environment: T,
  ...sources: readonly SettingTexts[]
): z.output<T> {
  const given = Object.keys(environment.shape).flatMap((variable) => {
    const text = sources.map((source) => source[variable]).find(Boolean);
    return text ? [[variable, text]] : [];
  });
  const texts: Record<string, string> = Object.fromEntries(given);
  const result = environment.safeParse(texts);
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) => {
    const variable = String(path[0]);
    const schema = environment.shape[variable];
    return faultLine({ variable, text: texts[variable], expected: message, ...(schema && settingFacts.get(schema)) });
  });
  throw new SettingsError(lines.join('\n'));
}

interface Fault extends Partial<SettingFacts> {
  readonly variable: string;
  readonly text: string | undefined;
  readonly expected: string;
}

function faultLine({ variable, text, expected, flag, isSecret }: Fault): string {
  const name = flag ? `${variable} (${flag.split(' ')[0]})` : variable;
  // Before an @ there may be a password, in an address that should have none.
  const wrong = isSecret ? 'is not valid' : `is ${JSON.stringify(text?.replace(/^.*@/s, '***@').slice(0, 80))}`;
  return `${name} ${text === undefined ? 'is missing' : wrong}; expected ${expected}`;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Makes the schema of a setting.
 *
 * @param expected the valid values in words, for the error message if the text is missing or `parse` returns undefined
 */
export function setting<T>(expected: string, parse: (text: string) => T | undefined) {
  return z.string(expected).transform((text, context): T => {
    const value = parse(text.trim());
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: expected });
    return z.NEVER;
  });
}

export const wholeNumber = (least: number, most: number) =>
  setting(`a whole number from ${least} to ${most}`, (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  });

export const onOff = () =>
  setting('on or off', (text) => (text === 'on' || text === 'off' ? text === 'on' : undefined));

export const oneOf = <const T extends readonly string[]>(words: T) =>
  setting(`one of ${words.join(', ')}`, (text): T[number] | undefined => words.find((word) => word === text));

export const AUTO_ON_OFF = ['auto', 'on', 'off'] as const;

/** Converts a word of `AUTO_ON_OFF`: `auto` to undefined, `on` to true, `off` to false. */
export const unlessAuto = (word: (typeof AUTO_ON_OFF)[number]): boolean | undefined =>
  word === 'auto' ? undefined : word === 'on';

export const matching = (expected: string, pattern: RegExp) =>
  setting(expected, (text) => (pattern.test(text) ? text : undefined));

/** Accepts an HTTP address without user, password, query and fragment. Removes slashes at its end. */
export const webAddress = () => setting('an address such as https://parley.example.com', plainAddress);

/** Accepts an HTTP address as `webAddress` does, but without a path. */
export const rootAddress = () =>
  setting('an address without a path, such as https://parley.example.com', (text) => {
    const address = plainAddress(text);
    return address !== undefined && new URL(address).pathname === '/' ? address : undefined;
  });

function plainAddress(text: string): string | undefined {
  const url = parseUrl(text, ['http:', 'https:']);
  const isPlain = url && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return isPlain ? url.href.replace(/\/+$/, '') : undefined;
}

export const port = () => wholeNumber(0, 65_535);

export const hostName = () => matching('a host name or address such as 127.0.0.1', /^[\w.:-]{1,253}$/);

export const logLevel = () => oneOf(LOG_LEVELS);

export const LOG_LEVEL_LIST = LOG_LEVELS.join(', ');

export const postgresUrl = () =>
  connection('postgres://user:password@host:5432/database', ['postgres:', 'postgresql:']);

/** Accepts the URL of a database or broker with one of `protocols`. The text stays unchanged. */
export const connection = (expected: string, protocols: readonly string[]) =>
  setting(expected, (text) => (parseUrl(text, protocols) ? text : undefined));

/** Accepts a list of addresses and networks, as `clientAddressReader` takes it. */
export const proxyList = () =>
  setting(
    'addresses or networks separated by commas, such as 10.0.0.0/8,127.0.0.1',
    (text): readonly string[] | undefined => {
      const entries = text.split(',').map((entry) => entry.trim());
      try {
        networkTest(entries);
        return entries;
      } catch {
        return undefined;
      }
    },
  );

/**
 * Parses an address.
 *
 * @returns undefined for a text that is not an address of one of the protocols
 */
export function parseUrl(text: string, protocols: readonly string[]): URL | undefined {
  // The driver of PostgreSQL takes an address without a host, such as postgres://user@/db?host=/var/run/postgresql.
  const whole = text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=\/)/, '$1localhost');
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  return url && protocols.includes(url.protocol) ? url : undefined;
}

/**
 * Returns the public addresses of the REST host and of the MCP host. The answer to a redeemed invitation contains these
 * addresses.
 *
 * @param origin without a slash at its end; if undefined, there are no addresses
 */
export const publicUrls = (origin: string | undefined) =>
  origin === undefined
    ? {}
    : { publicUrls: { baseUrl: `${origin}/api/public/agent`, mcpUrl: `${origin}/api/public/mcp` } };

const environmentFor = (defaultPort: number) =>
  z.object({
    DATABASE_URL: postgresUrl().register(settingFacts, { purpose: 'PostgreSQL with the sessions', isSecret: true }),
    PARLEY_PG_SHARDED: oneOf(AUTO_ON_OFF).prefault('auto'),
    PORT: port().prefault(String(defaultPort)),
    HOST: hostName().prefault('127.0.0.1'),
    PARLEY_PUBLIC_URL: webAddress().optional(),
    PARLEY_TRUSTED_PROXIES: proxyList().optional(),
    PARLEY_PATH_TOKENS: onOff().prefault('on'),
    PARLEY_COMPRESSION: onOff().prefault('on'),
    PARLEY_LOG_LEVEL: logLevel().prefault('info'),
  });

/**
 * Reads the settings of a host that runs as its own program. An empty text counts as missing.
 *
 * @param texts usually `process.env`
 * @param defaultPort the port if PORT is not set
 * @throws SettingsError with a line for each wrong value
 */
export function readHostSettings(texts: SettingTexts, defaultPort: number) {
  const values = readEnvironment(environmentFor(defaultPort), texts);
  return {
    databaseUrl: values.DATABASE_URL,
    // Undefined: detected at the start.
    isSharded: unlessAuto(values.PARLEY_PG_SHARDED),
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PARLEY_PUBLIC_URL,
    trustedProxies: values.PARLEY_TRUSTED_PROXIES ?? [],
    pathTokens: values.PARLEY_PATH_TOKENS,
    compression: values.PARLEY_COMPRESSION,
    logLevel: values.PARLEY_LOG_LEVEL,
  };
}

/** The settings of a host that runs as its own program. */
export type HostSettings = Readonly<ReturnType<typeof readHostSettings>>;
