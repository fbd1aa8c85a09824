import { z } from 'zod';
import { readEnvironment, type SettingTexts, settingFacts } from './program/read-settings.ts';
import {
  hostName,
  type LogLevel,
  logLevel,
  onOff,
  port,
  postgresUrl,
  proxyList,
  webAddress,
} from './program/setting-types.ts';

/** The settings of a host that runs as a program of its own. */
export interface HostSettings {
  readonly databaseUrl: string;
  readonly isSharded: boolean;
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly pathTokens: boolean;
  readonly logLevel: LogLevel;
}

const environmentFor = (defaultPort: number) =>
  z.object({
    DATABASE_URL: postgresUrl().register(settingFacts, { purpose: 'PostgreSQL with the sessions', isSecret: true }),
    PARLEY_PG_SHARDED: onOff().prefault('off'),
    PORT: port().prefault(String(defaultPort)),
    HOST: hostName().prefault('127.0.0.1'),
    PARLEY_PUBLIC_URL: webAddress().optional(),
    PARLEY_TRUSTED_PROXIES: proxyList().optional(),
    PARLEY_PATH_TOKENS: onOff().prefault('on'),
    PARLEY_LOG_LEVEL: logLevel().prefault('info'),
  });

/**
 * Reads the settings of a host that runs as a program of its own. An empty text counts as left out.
 *
 * @param texts usually `process.env`
 * @param defaultPort used without PORT
 * @throws SettingsError with a line for each wrong value
 */
export function readHostSettings(texts: SettingTexts, defaultPort: number): HostSettings {
  const values = readEnvironment(environmentFor(defaultPort), texts);
  return {
    databaseUrl: values.DATABASE_URL,
    isSharded: values.PARLEY_PG_SHARDED,
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PARLEY_PUBLIC_URL,
    trustedProxies: values.PARLEY_TRUSTED_PROXIES ?? [],
    pathTokens: values.PARLEY_PATH_TOKENS,
    logLevel: values.PARLEY_LOG_LEVEL,
  };
}
