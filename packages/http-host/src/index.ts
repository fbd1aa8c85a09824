export {
  type CutOff,
  createOutbox,
  type Outbox,
  type OutboxLimits,
  type Outgoing,
  processOutbox,
} from './connections.ts';
export {
  type AnsweredRequest,
  createBodyEncoder,
  cutOffIn,
  type EncodeBody,
  type Exchange,
  encodedStream,
  type WireOptions,
  writeAnswer,
} from './exchange.ts';
export {
  answerNotFound,
  createHost,
  createHttpHost,
  type Host,
  type HostOptions,
  type HttpHostOptions,
  type Responder,
  refuseDiscovery,
} from './http-host.ts';
export { discardRest, holdContinue, readBytes, readText } from './request-body.ts';
export {
  type Below,
  clientAddressReader,
  headerValues,
  isFromForeignPage,
  pathBelow,
  peerTest,
  readTarget,
  shownPath,
  type Target,
} from './request-head.ts';
export { type ServeOptions, type Serving, serve } from './serve.ts';
