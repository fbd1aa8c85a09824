import { z } from 'zod';
import { networkTest } from '../connections/network-address.ts';

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
