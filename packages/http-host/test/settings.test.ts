import { describe, expect, it } from 'vitest';
import { readHostSettings, SettingsError } from '../src/settings.ts';

const DATABASE_URL = 'postgres://parley:hunter2@db.example:5432/parley';

describe('readHostSettings', () => {
  it('asks for nothing but a database', () => {
    expect(readHostSettings({ DATABASE_URL, PORT: '' }, 4100)).toEqual({
      databaseUrl: DATABASE_URL,
      port: 4100,
      host: '127.0.0.1',
      publicUrl: undefined,
      trustedProxies: [],
      pathTokens: true,
      logLevel: 'info',
    });
  });

  it('takes every setting', () => {
    const settings = readHostSettings(
      {
        DATABASE_URL,
        PORT: '0',
        HOST: '::',
        PARLEY_PUBLIC_URL: 'https://parley.example.com/',
        PARLEY_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
        PARLEY_PATH_TOKENS: 'off',
        PARLEY_LOG_LEVEL: 'silent',
      },
      4100,
    );
    expect(settings).toMatchObject({ port: 0, host: '::', publicUrl: 'https://parley.example.com', pathTokens: false });
    expect(settings).toMatchObject({ trustedProxies: ['10.0.0.0/8', '::1'], logLevel: 'silent' });
  });

  it.each([
    ['DATABASE_URL', undefined, 'DATABASE_URL must be postgres://user:password@host:5432/database'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535; it is "65536"'],
    ['HOST', 'a b', 'HOST must be a host name or address such as 127.0.0.1; it is "a b"'],
    [
      'PARLEY_PUBLIC_URL',
      'parley',
      'PARLEY_PUBLIC_URL must be an address such as https://parley.example.com; it is "parley"',
    ],
    [
      'PARLEY_TRUSTED_PROXIES',
      'proxy',
      'PARLEY_TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8,127.0.0.1; it is "proxy"',
    ],
    ['PARLEY_PATH_TOKENS', 'yes', 'PARLEY_PATH_TOKENS must be on or off; it is "yes"'],
    [
      'PARLEY_LOG_LEVEL',
      'loud',
      'PARLEY_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent; it is "loud"',
    ],
  ])('says in one line what is wrong with %s', (name, text, line) => {
    expect(() => readHostSettings({ DATABASE_URL, [name]: text }, 4100)).toThrow(new SettingsError(line));
  });

  it('never repeats the password of a database', () => {
    const wrong = () => readHostSettings({ DATABASE_URL: 'mysql://parley:hunter2@db' }, 4100);
    expect(wrong).toThrow('it is something else');
    expect(wrong).not.toThrow('hunter2');
  });
});
