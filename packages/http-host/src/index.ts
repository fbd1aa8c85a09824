export { discardRest, holdContinue, readText } from './body.ts';
export { clientAddressReader } from './client-address.ts';
export type { CutOff } from './cut-off.ts';
export { type AnsweredRequest, cutOffIn, type Exchange, type WireOptions, writeAnswer } from './exchange.ts';
export { isFromForeignPage } from './foreign-page.ts';
export {
  answerNotFound,
  type Below,
  createHost,
  type Host,
  type HostOptions,
  type Responder,
  refuseDiscovery,
} from './host.ts';
export { createHttpHost, type HttpHostOptions } from './http-host.ts';
export { createOutbox, type Outbox, type OutboxLimits, type Outgoing, processOutbox } from './outbox.ts';
export { type ServeOptions, type Serving, serve } from './serve.ts';
export { shownPath } from './shown-path.ts';
export { pathBelow, readTarget, type Target } from './target.ts';
