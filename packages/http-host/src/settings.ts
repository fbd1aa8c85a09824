import { z } from 'zod';
import {
  AUTO_ON_OFF,
  hostName,
  logLevel,
  oneOf,
  onOff,
  port,
  postgresUrl,
  proxyList,
  readEnvironment,
  type SettingTexts,
  settingFacts,
  unlessAuto,
  webAddress,
} from './program/settings.ts';

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
