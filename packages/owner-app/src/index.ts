export { createLog, type Log, logRequest, SettingsError } from '@parley/http-host/program';
export { EXIT, type ExitCode } from './cli/exit-codes.ts';
export type { ArgumentReference, CommandReference, FlagReference } from './cli/flags/reference.ts';
export { describeCommands, describeExitCodes, runCli } from './cli/program.ts';
export { processTerminal, type Terminal } from './cli/terminal.ts';
export { type OwnerKey, openOwnerKey } from './server/access/key-check.ts';
export {
  type Authenticate,
  createOwnerAuthentication,
  type OwnerAuthentication,
  type OwnerAuthenticationOptions,
} from './server/access/owner-authentication.ts';
export { makeOwnerKey } from './server/access/owner-key.ts';
export { createOwnerRouter, type OwnerRouterOptions, type OwnerSource } from './server/api/router.ts';
export { type ConsoleFile, readConsole } from './server/console-routes.ts';
export type { HealthOptions } from './server/health.ts';
export { type CommitStatusOptions, startCommitStatuses } from './server/notify/commit-statuses.ts';
export type { Deliveries } from './server/notify/deliveries.ts';
export { type NotifierOptions, startNotifier, type Webhook } from './server/notify/notifier.ts';
export {
  continuingTraces,
  createMetrics,
  createSpanOpener,
  isTracing,
  METRICS,
  type MetricDefinition,
  type Metrics,
  type MetricsAddress,
  serveMetrics,
} from './server/observing.ts';
export { createOwnerApp, OWNER_ID, type OwnerAppOptions } from './server/owner-app.ts';
export { type OpenApi, openApiDocument, ownerApiDocument, type ServiceFacts } from './server/reference/open-api.ts';
export { SETTINGS } from './server/settings/environment.ts';
export { readSettings, type Settings } from './server/settings/settings.ts';
export { type Farewell, type RunningServer, startServer } from './server/start.ts';
