export type { CutOff } from './connections/connections.ts';
export { createBodyEncoder, type EncodeBody, encodedStream } from './exchange/compression.ts';
export { type AnsweredRequest, cutOffIn, type Exchange, type WireOptions, writeAnswer } from './exchange/exchange.ts';
export { createOutbox, type Outbox, type OutboxLimits, type Outgoing, processOutbox } from './exchange/outbox.ts';
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
export { discardRest, holdContinue, readBytes, readText } from './request/body.ts';
export {
  clientAddressReader,
  headerValues,
  isFromForeignPage,
  pathBelow,
  peerTest,
  readTarget,
  shownPath,
  type Target,
} from './request/head.ts';
export { type ServeOptions, type Serving, serve } from './serve.ts';
