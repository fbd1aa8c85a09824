import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { signingKey } from '../notify/signature.ts';

/** A setting read from text. `expected` is what the operator is told when the text does not parse. */
function setting<T>(expected: string, parse: (text: string) => T | undefined) {
  return z.string().transform((text, context): T => {
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

export const matching = (expected: string, pattern: RegExp) =>
  setting(expected, (text) => (pattern.test(text) ? text : undefined));

/** An address without credentials in the query, given back without a slash at its end. */
export const webAddress = () =>
  setting('an address such as https://parley.example.com', (text) => {
    const url = parseUrl(text, ['http:', 'https:']);
    return url && url.search === '' && url.hash === '' && url.username === ''
      ? url.href.replace(/\/+$/, '')
      : undefined;
  });

/** An address that may hold a secret in its path or query, but no user name. */
export const webhookAddress = () =>
  setting('an address such as https://example.com/parley', (text) => {
    const url = parseUrl(text, ['http:', 'https:']);
    return url && url.hash === '' && url.username === '' && url.password === '' ? url.href : undefined;
  });

/** One secret, or several with spaces between while one takes the place of another. */
export const webhookSecrets = () =>
  setting('whsec_ and 24 to 64 random bytes in base64', (text): readonly string[] | undefined => {
    const secrets = text.split(/\s+/);
    return secrets.every((secret) => signingKey(secret) !== undefined) ? secrets : undefined;
  });

export const connection = (expected: string, protocols: readonly string[]) =>
  setting(expected, (text) => (parseUrl(text, protocols) ? text : undefined));

export const proxyList = () =>
  setting(
    'addresses or networks with commas between, such as 10.0.0.0/8,127.0.0.1',
    (text): readonly string[] | undefined => {
      const entries = text.split(',').map((entry) => entry.trim());
      return entries.every(isNetwork) ? entries : undefined;
    },
  );

const HOST_NAME = /^[a-z\d](?:[\w-]*[a-z\d])?(?:\.[a-z\d](?:[\w-]*[a-z\d])?)*$/i;

/** Names as they stand in a Host header, without a port. */
export const hostList = () =>
  setting(
    'host names with commas between, such as parley.internal,agents.example.com, or any',
    (text): readonly string[] | 'any' | undefined => {
      if (text === 'any') return text;
      const names = text.split(',').map((name) => name.trim());
      return names.every((name) => HOST_NAME.test(name)) ? names : undefined;
    },
  );

function parseUrl(text: string, protocols: readonly string[]): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && protocols.includes(url.protocol) ? url : undefined;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && fits(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
}

function fits(address: string, bits: number, family: 'ipv4' | 'ipv6'): boolean {
  try {
    new BlockList().addSubnet(address, bits, family);
    return true;
  } catch {
    return false;
  }
}
