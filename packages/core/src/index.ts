export type { DueStatus } from './areas/links/rules.ts';
export type { Notice } from './areas/notices/rules.ts';
export {
  type CertificateCheck,
  type CertificateStatement,
  KEY_SET_PATH,
  verifyCertificate,
} from './areas/owner/certificate.ts';
export { CreateSessionInput } from './areas/owner/session.ts';
export type { AgentClient, ToolInput, ToolName, ToolOutput } from './client/calls.ts';
export { backOffMs, type Clock, systemClock } from './kernel/clock.ts';
export { createHeavyCalls, type HeavyCalls, type HeavyCallsOptions } from './kernel/engine/engine.ts';
export type { LimitsOf, OwnerLimits } from './kernel/engine/owner-allowances.ts';
export { ERROR_KINDS, type ErrorBody, type ErrorCode, type ErrorDetails, fail, ParleyError } from './kernel/errors.ts';
export {
  BYTES_PER_READ,
  DEFAULT_LIMITS,
  EVENTS_PER_READ,
  type Limits,
  MAX_ANSWER_BYTES,
  MAX_BATCH_BYTES,
  MAX_BATCH_ELEMENTS,
  MAX_BODY_BYTES,
  MAX_BODY_CHARS,
  MAX_WAIT_SECONDS,
} from './kernel/limits.ts';
export {
  GENESIS,
  type Head,
  type LogFault,
  type LoggedEvent,
  type LogReport,
  type StoredEvent,
  verifyLog,
} from './kernel/log/event.ts';
export { groupBy, mapConcurrent } from './kernel/maps.ts';
export type {
  CacheName,
  CacheUse,
  CallerClass,
  Observer,
  OperationFacts,
  RateWindow,
  SnapshotOutcome,
  Span,
  SpanFacts,
  StorageFacts,
} from './kernel/observe/observer.ts';
export { queryInput } from './kernel/operation/arguments.ts';
export { answerText } from './kernel/operation/bounded-lists.ts';
export type {
  Admission,
  Answer,
  Departure,
  HostPort,
  Reply,
  RouteListing,
  RouteRequest,
  Sender,
  ToolFacts,
} from './kernel/operation/host-port.ts';
export { InvalidInput } from './kernel/operation/input.ts';
export type { JsonSchema } from './kernel/operation/json-schema.ts';
export { type Entrance, joiningHint } from './kernel/operation/operation.ts';
export { errorAnswer, errorHeaders } from './kernel/operation/refusals.ts';
export {
  type Acting,
  FIRST_ACCOUNT,
  FIRST_PERSON,
  hasRightsOf,
  PEOPLE_LOG,
  PERSON_ROLES,
  type Person,
  type PersonRef,
  type PersonRole,
} from './kernel/person.ts';
export type { Agent, Builder, Role } from './kernel/roles.ts';
export { type CacheSizes, cacheSizes } from './kernel/session/sessions.ts';
export { createMemoryStorage, type MemoryStorage } from './kernel/storage/memory-storage.ts';
export {
  assertStorableAppend,
  assertStorableSession,
  assertStorableSnapshot,
  assertStorableText,
  BODY_SEPARATOR,
} from './kernel/storage/storable.ts';
export {
  type Append,
  CHANGING_COLUMNS,
  type InboxCount,
  type InboxEntry,
  type InboxNote,
  type InboxPage,
  type InboxPlace,
  LISTING_COLUMNS,
  type ListedSession,
  type Listing,
  type ListPage,
  type LogTail,
  type NewSession,
  OutcomeUnknown,
  type OwnerEvent,
  type OwnerEventFilter,
  type OwnerEventPosition,
  type OwnerEventsPage,
  type OwnerUse,
  type RateCount,
  type Snapshot,
  type Storage,
  StorageFull,
  StorageUnavailable,
  type StoredCall,
  type StoredDocument,
  type StoredInbox,
  type StoredSnapshot,
} from './kernel/storage/storage.ts';
export { isRecord, parseOrNull } from './kernel/text/json-value.ts';
export { countCharacters } from './kernel/text/readable.ts';
export { quotedName } from './kernel/text/safe-echo.ts';
export { type GivenKeys, isPublicKey, type PublicKey } from './kernel/token/certificate-keys.ts';
export { isSessionId, type RandomBytes, sessionIdInSecret } from './kernel/token/token.ts';
export type { StatusCalls, StatusReport, TokenClaims, WorkflowReports } from './owner/forge.ts';
export type { Delivery, NoticeListener } from './owner/inbox.ts';
export type { OwnerMethodOutput } from './owner/methods.ts';
export type { ReadsPeople } from './owner/own-session.ts';
export { type Owner, type OwnerCalls, type OwnerListing, ownerListings, type RetentionCalls } from './owner/owner.ts';
export type { EndedSession, ExportedSession } from './owner/retention.ts';
export { callOf, type OwnerRoute, ownerRoutes, type RouteCalls } from './owner-routes.ts';
export { createParley, type Parley, type ParleyOptions } from './parley.ts';
export type { PeopleCalls, PeopleMethod, PeopleOutput } from './people/methods.ts';
export { openPeople, type People, type PeopleOptions, type SignedInPerson, type Watched } from './people/people.ts';
export type { PersonAdmission } from './people/rules.ts';
export { proxySubject } from './people/state.ts';
export {
  type CallReference,
  type DialogReference,
  describeAllEvents,
  describeDialogs,
  describeEvents,
  describeInterface,
  describeOperations,
  describeRules,
  type EventReference,
  type InterfaceReference,
  type OperationReference,
  type OwnerRouteReference,
  type RouteReference,
  type RuleReference,
} from './reference.ts';
