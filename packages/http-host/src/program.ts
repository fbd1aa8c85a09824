export { createLog, hideSecrets, type Log, logRequest } from './program/log.ts';
export { type OpenParts, opening } from './program/opening.ts';
export { publicUrls } from './program/public-urls.ts';
export {
  readEnvironment,
  type SettingFacts,
  SettingsError,
  type SettingTexts,
  settingFacts,
} from './program/read-settings.ts';
export {
  AUTO_ON_OFF,
  connection,
  hostName,
  LOG_LEVEL_LIST,
  type LogLevel,
  logLevel,
  matching,
  oneOf,
  onOff,
  parseUrl,
  port,
  postgresUrl,
  proxyList,
  rootAddress,
  setting,
  unlessAuto,
  webAddress,
  wholeNumber,
} from './program/setting-types.ts';
