import { networkTest } from './network-address.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** What a host that runs alone is set to. */
export interface HostSettings {
  readonly databaseUrl: string;
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly pathTokens: boolean;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** A setting that stops the start; the message is the one line to print. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Texts = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of a host that runs alone; an empty text counts as left out.
 *
 * @param environment usually `process.env`
 * @param defaultPort used without PORT
 * @throws SettingsError for the first wrong value
 */
export function readHostSettings(environment: Texts, defaultPort: number): HostSettings {
  const read = <T>(name: string, expected: string, parse: (text: string) => T | undefined, fallback?: string): T => {
    const text = environment[name] || fallback || '';
    const value = parse(text.trim());
    if (value !== undefined) return value;
    throw new SettingsError(`${name} must be ${expected}${text === '' ? '' : `; it is ${shown(name, text)}`}`);
  };
  return {
    databaseUrl: read('DATABASE_URL', 'postgres://user:password@host:5432/database', postgresUrl),
    port: read('PORT', 'a whole number from 0 to 65535', portNumber, String(defaultPort)),
    host: read('HOST', 'a host name or address such as 127.0.0.1', hostName, '127.0.0.1'),
    publicUrl: read('PARLEY_PUBLIC_URL', 'an address such as https://parley.example.com', webAddress) || undefined,
    trustedProxies: read('PARLEY_TRUSTED_PROXIES', 'addresses or networks such as 10.0.0.0/8,127.0.0.1', proxyList),
    pathTokens: read('PARLEY_PATH_TOKENS', 'on or off', wordOf(['on', 'off']), 'on') === 'on',
    logLevel: read('PARLEY_LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`, wordOf(LOG_LEVELS), 'info'),
  };
}

/** A database address holds a password, so it is never repeated. */
const shown = (name: string, text: string): string =>
  name === 'DATABASE_URL' ? 'something else' : JSON.stringify(text.slice(0, 80));

function portNumber(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

const hostName = (text: string): string | undefined => (/^[\w.:-]{1,253}$/.test(text) ? text : undefined);

const postgresUrl = (text: string): string | undefined =>
  ['postgres:', 'postgresql:'].includes(protocolOf(text)) ? text : undefined;

function webAddress(text: string): string | undefined {
  const isPlain = ['http:', 'https:'].includes(protocolOf(text)) && !/[?#@]/.test(text);
  return text === '' || isPlain ? text.replace(/\/+$/, '') : undefined;
}

const protocolOf = (text: string): string => (URL.canParse(text) ? new URL(text).protocol : '');

function proxyList(text: string): readonly string[] | undefined {
  const entries = text === '' ? [] : text.split(',').map((entry) => entry.trim());
  try {
    networkTest(entries);
    return entries;
  } catch {
    return undefined;
  }
}

const wordOf =
  <const W extends readonly string[]>(words: W) =>
  (text: string): W[number] | undefined =>
    words.find((word) => word === text);
