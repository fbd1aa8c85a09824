export type { DueStatus } from './areas/links/rules.ts';
export type { Notice } from './areas/notices/rules.ts';
export { CreateSessionInput } from './areas/owner/session.ts';
export {
  type CertificateCheck,
  type CertificateStatement,
  KEY_SET_PATH,
  verifyCertificate,
} from './areas/verify/certificate.ts';
export type { AgentClient, ToolInput, ToolName, ToolOutput } from './client/calls.ts';
export { backOffMs } from './kernel/back-off.ts';
export { type Clock, systemClock } from './kernel/clock.ts';
export { createHeavyCalls, type HeavyCalls, type HeavyCallsOptions } from './kernel/engine/engine.ts';
export type { LimitsOf, OwnerLimits } from './kernel/engine/owner-allowances.ts';
export { ERROR_KINDS, type ErrorCode } from './kernel/error-kinds.ts';
export { type ErrorBody, type ErrorDetails, fail, ParleyError } from './kernel/errors.ts';
export { groupBy } from './kernel/group-by.ts';
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
export { GENESIS, type Head, type LoggedEvent, type StoredEvent } from './kernel/log/event.ts';
export { type LogFault, type LogReport, verifyLog } from './kernel/log/verify-log.ts';
export { mapConcurrent } from './kernel/map-concurrent.ts';
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
export { answerText } from './kernel/operation/fitted.ts';
export type {
  Admission,
  Answer,
  Departure,
  HostPort,
  RouteListing,
  RouteRequest,
  Sender,
  ToolFacts,
} from './kernel/operation/host-port.ts';
export { InvalidInput } from './kernel/operation/input.ts';
export { type Entrance, joiningHint } from './kernel/operation/joining.ts';
export type { JsonSchema } from './kernel/operation/json-schema.ts';
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
export type { Reply } from './kernel/reply.ts';
export type { Agent, Builder, Role } from './kernel/roles.ts';
export { type CacheSizes, cacheSizes } from './kernel/session/cache-sizes.ts';
export type { ListedSession, Listing } from './kernel/storage/listing.ts';
export { createMemoryStorage, type MemoryStorage } from './kernel/storage/memory-storage.ts';
export type {
  OwnerEvent,
  OwnerEventFilter,
  OwnerEventPosition,
  OwnerEventsPage,
} from './kernel/storage/owner-events.ts';
export {
  assertStorableAppend,
  assertStorableSession,
  assertStorableSnapshot,
  assertStorableText,
  BODY_SEPARATOR,
} from './kernel/storage/storable.ts';
export {
  type Append,
  type ListPage,
  type LogTail,
  type NewSession,
  OutcomeUnknown,
  type OwnerUse,
  type RateCount,
  type Snapshot,
  type Storage,
  StorageFull,
  StorageUnavailable,
  type StoredCall,
  type StoredDocument,
  type StoredSnapshot,
} from './kernel/storage/storage.ts';
export type {
  InboxCount,
  InboxEntry,
  InboxNote,
  InboxPage,
  InboxPlace,
  StoredInbox,
} from './kernel/storage/stored-inbox.ts';
export { countCharacters } from './kernel/text/characters.ts';
export { isRecord, parseOrNull } from './kernel/text/json-value.ts';
export { quotedName } from './kernel/text/safe-echo.ts';
export type { GivenKeys, PublicKey } from './kernel/token/certificate-keys.ts';
export { isPublicKey } from './kernel/token/certificate-keys.ts';
export { isSessionId, type RandomBytes, sessionIdInSecret } from './kernel/token/token.ts';
export type { EndedSession, ExportedSession } from './owner/audit/retention.ts';
export type { OwnerMethodOutput } from './owner/methods.ts';
export type { Delivery, NoticeListener } from './owner/notices.ts';
export type { ReadsPeople } from './owner/own-session.ts';
export { type Owner, type OwnerCalls, type OwnerListing, ownerListings, type RetentionCalls } from './owner/owner.ts';
export type { StatusCalls, StatusReport } from './owner/statuses.ts';
export type { TokenClaims, WorkflowReports } from './owner/workflow-reports.ts';
export { callOf, type OwnerRoute, ownerRoutes, type RouteCalls } from './owner-routes.ts';
export { createParley, type Parley, type ParleyOptions } from './parley.ts';
export type { PersonAdmission } from './people/admission.ts';
export type { PeopleCalls, PeopleMethod, PeopleOutput } from './people/methods.ts';
export type { Watched } from './people/people.ts';
export { openPeople, type People, type PeopleOptions, type SignedInPerson } from './people/people.ts';
export { proxySubject } from './people/state.ts';
export {
  type CallReference,
  describeAllEvents,
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
