import { describe, expect, it } from 'vitest';
import { readHostSettings } from '../src/program/settings.ts';
import { SettingsError } from '../src/program.ts';

const DATABASE_URL = 'postgres://parley:hunter2@db.example:5432/parley';

describe('readHostSettings', () => {
  it('requires only a database', () => {
    expect(readHostSettings({ DATABASE_URL, PORT: '' }, 4100)).toEqual({
      databaseUrl: DATABASE_URL,
      isSharded: undefined,
      port: 4100,
      host: '127.0.0.1',
      publicUrl: undefined,
      trustedProxies: [],
      pathTokens: true,
      compression: true,
      logLevel: 'info',
    });
  });

  it('accepts every setting', () => {
    const settings = readHostSettings(
      {
        DATABASE_URL,
        PORT: '0',
        HOST: '::',
        PARLEY_PUBLIC_URL: 'https://parley.example.com/',
        PARLEY_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
        PARLEY_PATH_TOKENS: 'off',
        PARLEY_COMPRESSION: 'off',
        PARLEY_LOG_LEVEL: 'silent',
        PARLEY_PG_SHARDED: 'on',
      },
      4100,
    );
    expect(settings).toMatchObject({ port: 0, host: '::', publicUrl: 'https://parley.example.com', pathTokens: false });
    expect(settings).toMatchObject({ compression: false });
    expect(settings).toMatchObject({ trustedProxies: ['10.0.0.0/8', '::1'], logLevel: 'silent', isSharded: true });
  });

  it.each([
    ['DATABASE_URL', undefined, 'DATABASE_URL is missing; expected postgres://user:password@host:5432/database'],
    ['PORT', '65536', 'PORT is "65536"; expected a whole number from 0 to 65535'],
    ['HOST', 'a b', 'HOST is "a b"; expected a host name or address such as 127.0.0.1'],
    [
      'PARLEY_PUBLIC_URL',
      'parley',
      'PARLEY_PUBLIC_URL is "parley"; expected an address such as https://parley.example.com',
    ],
    [
      'PARLEY_TRUSTED_PROXIES',
      'proxy',
      'PARLEY_TRUSTED_PROXIES is "proxy"; expected addresses or networks separated by commas, such as 10.0.0.0/8,127.0.0.1',
    ],
    ['PARLEY_PATH_TOKENS', 'yes', 'PARLEY_PATH_TOKENS is "yes"; expected on or off'],
    ['PARLEY_PG_SHARDED', '1', 'PARLEY_PG_SHARDED is "1"; expected one of auto, on, off'],
    [
      'PARLEY_LOG_LEVEL',
      'loud',
      'PARLEY_LOG_LEVEL is "loud"; expected one of fatal, error, warn, info, debug, trace, silent',
    ],
  ])('says in one line what is wrong with %s', (name, text, line) => {
    expect(() => readHostSettings({ DATABASE_URL, [name]: text }, 4100)).toThrow(new SettingsError(line));
  });

  it('reports all faults together', () => {
    expect(() => readHostSettings({ PORT: 'http', HOST: 'a b' }, 4100)).toThrow(
      new SettingsError(
        [
          'DATABASE_URL is missing; expected postgres://user:password@host:5432/database',
          'PORT is "http"; expected a whole number from 0 to 65535',
          'HOST is "a b"; expected a host name or address such as 127.0.0.1',
        ].join('\n'),
      ),
    );
  });

  it('never repeats the password of a database', () => {
    const wrong = () => readHostSettings({ DATABASE_URL: 'mysql://parley:hunter2@db' }, 4100);
    expect(wrong).toThrow('DATABASE_URL is not valid; expected postgres://user:password@host:5432/database');
    expect(wrong).not.toThrow('hunter2');
  });
});

it('an address of PostgreSQL may name a folder of sockets as its host', () => {
  const address = 'postgres://parley:hunter2@/parley?host=/var/run/postgresql';
  expect(readHostSettings({ DATABASE_URL: address }, 4100)).toMatchObject({ databaseUrl: address });
});
