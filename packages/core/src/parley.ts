import { randomBytes } from 'node:crypto';
import { createAgent } from './agent.ts';
import { redeemInvitation } from './areas/access/operations.ts';
import { domain } from './areas/domain.ts';
import { registry } from './areas/registry.ts';
import type { SessionState } from './areas/state.ts';
import type { AgentClient } from './client/calls.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { createEngine } from './kernel/engine/create-engine.ts';
import type { Engine } from './kernel/engine/engine.ts';
import { createOwnerAllowances, type LimitsOf, ownerUsage } from './kernel/engine/owner-allowances.ts';
import { countSender } from './kernel/entry/authentication.ts';
import { admitTools, answerRoute, runUnauthenticated } from './kernel/entry/calls.ts';
import { fail, type ParleyError } from './kernel/errors.ts';
import { DEFAULT_LIMITS, type Limits } from './kernel/limits.ts';
import { instrumentErrors, instrumentStorage, instrumentWindows } from './kernel/observe/instrumentation.ts';
import { type CacheUse, guardObserver, type Observer, type SafeObserver } from './kernel/observe/observer.ts';
import type { HostPort } from './kernel/operation/host-port.ts';
import {
  type Entrance,
  type InputOf,
  joiningHint,
  type OutputOf,
  type ServiceInfo,
} from './kernel/operation/operation.ts';
import { createErrorTranslator, errorAnswer, type FailureListener } from './kernel/operation/refusals.ts';
import { type Acting, checkedPerson, type Person } from './kernel/person.ts';
import { type CacheSizes, createResponseCache, createSessions, DEFAULT_CACHE } from './kernel/session/sessions.ts';
import { createSnapshots, type Snapshots } from './kernel/session/snapshots.ts';
import { createDocuments } from './kernel/session/stored-texts.ts';
import type { Storage } from './kernel/storage/storage.ts';
import { parseJson, plainJson } from './kernel/text/json-reading.ts';
import { type GivenKeys, openCertificateKeys, type PublicKey } from './kernel/token/certificate-keys.ts';
import {
  bucketOf,
  createLocalWindows,
  createSharedWindows,
  MAX_FORGED_BUCKETS,
  type Windows,
} from './kernel/token/rate-windows.ts';
import type { RandomBytes } from './kernel/token/token.ts';
import { startWakeUps } from './kernel/waiting/wake-ups.ts';
import { type StatusCalls, statusCalls, type WorkflowReports, workflowReports } from './owner/forge.ts';
import type { OwnerOf } from './owner/own-session.ts';
import { createOwner, type Owner, type OwnerListing, ownerListings } from './owner/owner.ts';
import type { People } from './people/people.ts';
import { VERSION } from './version.ts';

export interface ParleyOptions {
  readonly storage: Storage;
  readonly clock?: Clock;
  readonly random?: RandomBytes;
  /**
   * Replaces some of the default limits: of requests per minute, of polls, and of what a session may contain. A limit can be
   * raised, but not turned off.
   */
  readonly limits?: Partial<Limits>;
  /**
   * The limits of an owner: sessions, events and bytes in all its sessions together. A write that would go beyond a limit is
   * refused with LIMIT_EXCEEDED and stores nothing; with `isClosed`, each write is refused. Reads still work, and so do calls that
   * end, pause, revoke, export and delete. The process asks for the limits again after 5 s; several processes together can go
   * beyond a limit by what they append in that time. If left out, owners have no limits.
   */
  readonly limitsOf?: LimitsOf | undefined;
  /**
   * Whether the person with an id may invite agents at present: `openPeople(…).mayInvite`. An invitation code that a person made
   * who may not invite any more is refused with INVITATION_INVALID. It is not asked about codes that were made without a person or
   * with the owner key. If left out, codes work until they expire.
   */
  readonly mayInvite?: People['mayInvite'] | undefined;
  /**
   * The keys that sign certificates. Default: a key derived from the secret of the storage, so every process has the same. Give keys
   * of your own to take another key, or to withdraw one: only these and `retired` are published.
   */
  readonly certificateKeys?: GivenKeys | undefined;
  readonly cache?: Partial<CacheSizes>;
  /**
   * `every`: the number of events of a session after which a snapshot of its state is stored. With a snapshot, another
   * process need not fold the whole log. Default `{ every: 500 }`. With false, snapshots are neither stored nor read.
   */
  readonly snapshots?: false | { readonly every: number };
  /** Whether requests are counted in the storage instead of in memory. Necessary if several processes use one database. */
  readonly sharedLimits?: boolean;
  /**
   * The public addresses of the service. The answers to redeemed invitations, and the texts that explain how to join,
   * contain them.
   */
  readonly publicUrls?: { readonly baseUrl?: string; readonly mcpUrl?: string };
  /**
   * Paths that the server of this process serves. If `publicUrls` lacks an address, the answers that explain how to
   * join, and the answers to redeemed invitations, contain the path in its place.
   */
  readonly paths?: Entrance;
  /**
   * Called for every failure that is answered with INTERNAL or STORAGE_UNAVAILABLE, with its cause and its trace id. Also called
   * for failures in the background, with `wake-up`, `snapshot`, `observer` or `presence` in place of the trace id.
   */
  readonly onFailure?: FailureListener;
  /** Receives measurements for metrics and traces. Without an observer, nothing is measured. */
  readonly observer?: Observer;
}

/** The protocol. Call it in process, or let hosts serve it over HTTP. */
export interface Parley extends HostPort {
  /**
   * Returns the calls of one owner. `person` makes the calls: events store the person, and the person's role limits the calls
   * (`ROLE_FORBIDDEN`). Without a person, every call is allowed. `present` is asked again before each decision of a write, so
   * that nothing is stored for a person who was withdrawn while a call was on its way. With `readsPeople` the audit also contains the changes to people
   * that `openPeople` stores in the same storage. To show only the changes in the person's account, pass a function
   * that calls `eventFilter` of `PeopleCalls`. `account` returns the account for the answer of `whoAmI`.
   *
   * @throws TypeError if the person is malformed, or for an owner id that begins with `parley:`, which is reserved
   */
  owner(ownerId: string, acting?: Acting & Pick<OwnerOf, 'readsPeople' | 'account'>): Owner;
  /**
   * Counts a request of an owner, for the person who sends it. Without a person, the owner is counted.
   *
   * @throws ParleyError RATE_LIMITED if the person has used up `limits.perPerson` in this minute
   */
  countOwner(ownerId: string, person?: Person): Promise<void>;
  /** The public keys of certificates (RFC 7517), for `/.well-known/parley/jwks.json`. */
  readonly keySet: { readonly keys: readonly PublicKey[] };
  /** The operations from which the owner's HTTP API, CLI and console are derived. */
  readonly ownerOperations: readonly OwnerListing[];
  /** The calls for a service to which the workflows that owners have bound report their runs. */
  readonly workflowReports: WorkflowReports;
  redeem(input: InputOf<typeof redeemInvitation>): Promise<OutputOf<typeof redeemInvitation>>;
  agent(token: string): AgentClient;
  /** The calls of a service that posts commit statuses, for all owners. */
  readonly statuses: StatusCalls;
  /** Number of polls that wait at this moment. */
  heldPolls(): number;
  /** The number of entries and bytes in each cache of this process. */
  cacheUse(): readonly CacheUse[];
  /** Answers all waiting calls and ends all background work. Does not close the storage, because the caller has opened it. */
  close(): Promise<void>;
}

const SERVICE_NAME = 'parley';
/** Beginning of the owner ids of logs that belong to no session. */
const RESERVED = 'parley:';

/**
 * Creates Parley on a storage.
 * @throws StorageUnavailable if the storage does not answer
 */
export async function createParley(options: ParleyOptions): Promise<Parley> {
  const { clock = systemClock, random = (length) => randomBytes(length), onFailure = () => undefined } = options;
  const observer = options.observer && guardObserver(options.observer, (error) => onFailure(error, 'observer'));
  const storage = observer ? instrumentStorage(options.storage, observer) : options.storage;
  const cache = { ...DEFAULT_CACHE, ...options.cache };
  const key = await storage.secret();
  const snapshots = openSnapshots(options, storage, key, observer);
  const engine = createEngine<SessionState>({
    domain,
    storage,
    clock,
    random,
    sessions: createSessions(storage, domain, { ...cache, snapshots }, observer),
    responseCache: createResponseCache(cache.answerBytes, observer),
    documents: createDocuments(storage, cache.documentBytes, observer),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    allowances: options.limitsOf && createOwnerAllowances((id) => ownerUsage(storage, id), clock, options.limitsOf),
    mayInvite: options.mayInvite,
    key,
    certificateKeys: openCertificateKeys(key, options.certificateKeys),
    service: serviceInfo(options),
    observer,
    onPresenceFailure: (error) => onFailure(error, 'presence'),
    onCommittedFailure: (error) => onFailure(error, 'wake-up'),
  });
  const windows = {
    counted: options.sharedLimits ? createSharedWindows(storage, clock) : createLocalWindows(clock),
    forged: createLocalWindows(clock, MAX_FORGED_BUCKETS),
  };
  const translate = createErrorTranslator(random, onFailure);
  const stopWakeUps = startWakeUps(engine, (error) => onFailure(error, 'wake-up'));
  const stop = async (): Promise<void> => {
    stopWakeUps();
    await snapshots?.close();
  };
  if (!observer) return assemble(engine, windows, translate, stop);
  return assemble(engine, instrumentWindows(windows, observer), instrumentErrors(translate, observer), stop);
}

function serviceInfo({ publicUrls = {}, paths = {} }: ParleyOptions): ServiceInfo {
  const entrance = {
    rest: publicUrls.baseUrl ?? paths.rest,
    mcp: publicUrls.mcpUrl ?? paths.mcp,
    openApi: paths.openApi,
  };
  return { name: SERVICE_NAME, version: VERSION, ...publicUrls, entrance, joining: joiningHint(entrance) };
}

const DEFAULT_SNAPSHOTS = { every: 500 };

function openSnapshots(
  { snapshots = DEFAULT_SNAPSHOTS, onFailure }: ParleyOptions,
  storage: Storage,
  key: string,
  observer?: SafeObserver,
): Snapshots<SessionState> | undefined {
  if (!snapshots) return undefined;
  const { every } = snapshots;
  if (!(Number.isSafeInteger(every) && every > 0))
    throw new TypeError('snapshots.every must be a whole number of at least 1.');
  const report = (error: unknown): void => onFailure?.(error, 'snapshot');
  return createSnapshots(storage, domain, { key, every, onFailure: report, observer });
}

function assemble(
  engine: Engine<SessionState>,
  windows: Windows,
  toError: (thrown: unknown) => ParleyError,
  stop: () => Promise<void>,
): Parley {
  const refuseDraining = (): void => {
    if (engine.waiters.isDraining()) fail('SHUTTING_DOWN', 'The service is restarting.', { retry_after_seconds: 2 });
  };
  const drain = async (): Promise<void> => engine.waiters.drain();
  return {
    routes: registry.allRoutes(),
    service: engine.service,
    keySet: { keys: engine.certificateKeys.published },
    ownerOperations: ownerListings,
    parseJson,
    toError,
    async callRoute(request) {
      try {
        refuseDraining();
        return await answerRoute({ engine, registry, windows }, request);
      } catch (thrown) {
        return errorAnswer(toError(thrown));
      }
    },
    count: async (sender) => void (await countSender(engine, windows, sender)),
    async admit(sender) {
      refuseDraining();
      return await admitTools({ engine, registry, windows }, sender);
    },
    owner(ownerId, { person, ...acting } = {}) {
      if (ownerId.startsWith(RESERVED)) throw new TypeError(`The owner id ${ownerId} is reserved.`);
      return createOwner({ engine, ownerId, ...acting, person: person && checkedPerson(person) });
    },
    async countOwner(ownerId, person) {
      const bucket = bucketOf('person', `${ownerId} ${person?.id ?? ''}`);
      await windows.counted.take(bucket, engine.limits.perPerson, 1);
    },
    workflowReports: workflowReports(engine, windows),
    redeem: async (input) =>
      (await runUnauthenticated(engine, redeemInvitation, plainJson(input))).value as OutputOf<typeof redeemInvitation>,
    agent: (token) => createAgent(engine, token),
    statuses: statusCalls(engine),
    heldPolls: () => engine.waiters.count(),
    cacheUse: () => [...engine.sessions.use(), engine.documents.use(), engine.responseCache.use()],
    drain,
    async close() {
      await drain();
      await engine.presence.close();
      await stop();
    },
  };
}
