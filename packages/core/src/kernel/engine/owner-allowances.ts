import type { Clock } from '../clock.ts';
import { ParleyError } from '../errors.ts';
import { erasureOwnerOf } from '../person.ts';
import { type OwnerUse, type Storage, StorageUnavailable } from '../storage/storage.ts';

/**
 * The limits of owners, and how much of them is used. The use of an owner is counted in sessions, events and bytes. For
 * each owner the process keeps a figure: the use that the storage counted, and what this process has appended since the
 * count. So most writes need no additional statement. The use is counted again if the count is older than 5 s, and
 * before a refusal if it is older than 1 s. The figure does not contain what other processes have appended since the
 * count, so several processes together can go beyond a limit by what they append within 5 s.
 *
 * If the storage cannot count, for example because one server of several is away, the last figure and limits stay in
 * use until the next count. Writes of an owner that this process has never counted fail.
 *
 * Cannot happen: one process goes beyond a limit, except by writes that limits never refuse. Each write is added to the
 * figure before it is sent. A write that is stored while the use is counted may be counted twice, until the next count.
 */

/** The most that the sessions of one owner may use together. A resource whose limit is left out is not limited. */
export type OwnerLimits = { readonly [limit in keyof OwnerUse]?: number | undefined } & {
  /** Whether all writes for the owner are refused, except those that end, stop, revoke or delete. */
  readonly isClosed?: boolean | undefined;
};

/**
 * Returns the limits of an owner. A write calls it if the limits in memory are 5 s old. A write that the limits in
 * memory would refuse calls it if these limits are 1 s old.
 */
export type LimitsOf = (ownerId: string) => OwnerLimits | undefined | Promise<OwnerLimits | undefined>;

/**
 * What a write will store, added to the counted use of its owner before the write is sent to the storage. When the
 * outcome of the write is known, one of the two functions must be called.
 */
export interface Reservation {
  /** Called if the write was stored. Its sessions, events and bytes still count for the owner's limits. */
  keep(): void;
  /** Called if the write was not stored. Its sessions, events and bytes no longer count for the owner's limits. */
  release(): void;
}

export interface OwnerAllowances {
  /**
   * Adds what a write will store to the amounts that count for the limits of its owner.
   *
   * @param isExempt whether the write is accepted even beyond a limit
   * @returns the refusal, if the write would go beyond a limit
   */
  reserve(ownerId: string, adding: OwnerUse, isExempt?: boolean): Promise<Reservation | ParleyError>;
  /** Makes the next write of the owner count the use again. Called after a session was deleted. */
  recount(ownerId: string): void;
}

/** Milliseconds after which the next write counts an owner's use and reads the owner's limits again. */
const STALE_MS = 5_000;
/**
 * Milliseconds after which the use is counted again before a refusal, so that a raised limit or a deleted session takes effect
 * within a second.
 */
const STALE_FOR_REFUSAL_MS = 1_000;
/** After a count the process waits at least 50 times as long as the count took, so that a slow storage is not busy counting. */
const PAUSE_FACTOR = 50;
const MAX_OWNERS = 10_000;

const NOTHING: OwnerUse = { sessions: 0, events: 0, bytes: 0 };
const sum = (a: OwnerUse, b: OwnerUse, sign: 1 | -1 = 1): OwnerUse => ({
  sessions: a.sessions + sign * b.sessions,
  events: a.events + sign * b.events,
  bytes: a.bytes + sign * b.bytes,
});

interface Figure {
  limits: OwnerLimits | undefined;
  counted: OwnerUse;
  /** Sessions, events and bytes that this process has stored for the owner since the last count began. */
  stored: OwnerUse;
  /** Sessions, events and bytes of the owner's writes that this process has sent and whose outcome is not known yet. */
  pending: OwnerUse;
  /** When the last count or attempt to count began, in milliseconds since the epoch. */
  countedAt: number;
  /** How long the last count took, in milliseconds. */
  tookMs: number;
  counting: Promise<void> | undefined;
}

export function createOwnerAllowances(
  usageOf: (ownerId: string) => Promise<OwnerUse>,
  clock: Clock,
  limitsOf: LimitsOf,
): OwnerAllowances {
  const figures = new Map<string, Figure>();

  const countNow = async (ownerId: string, figure: Figure): Promise<void> => {
    const begun = clock.now();
    const before = figure.stored;
    try {
      const limits = (await limitsOf(ownerId)) ?? {};
      const counted = LIMITED.some((name) => limits[name] !== undefined) ? await usageOf(ownerId) : NOTHING;
      Object.assign(figure, { limits, counted });
      figure.stored = sum(figure.stored, before, -1);
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || figure.limits === undefined) throw error;
    }
    Object.assign(figure, { countedAt: begun, tookMs: clock.now() - begun });
  };

  const count = (ownerId: string, figure: Figure): Promise<void> => {
    figure.counting ??= countNow(ownerId, figure).finally(() => {
      figure.counting = undefined;
    });
    return figure.counting;
  };

  const refresh = async (ownerId: string, figure: Figure, staleMs: number): Promise<void> => {
    const age = clock.now() - figure.countedAt;
    if (age >= Math.max(staleMs, PAUSE_FACTOR * figure.tookMs)) await count(ownerId, figure);
  };

  const figureOf = (ownerId: string): Figure => {
    const known = figures.get(ownerId) ?? newFigure();
    figures.delete(ownerId);
    figures.set(ownerId, known);
    const [oldest] = figures.size > MAX_OWNERS ? figures.keys() : [];
    if (oldest !== undefined) figures.delete(oldest);
    return known;
  };

  return {
    async reserve(ownerId, adding, isExempt = false) {
      const figure = figureOf(ownerId);
      await refresh(ownerId, figure, STALE_MS);
      if (!isExempt && refusalFor(figure, adding)) await refresh(ownerId, figure, STALE_FOR_REFUSAL_MS);
      const refusal = isExempt ? undefined : refusalFor(figure, adding);
      if (refusal) return refusal;
      figure.pending = sum(figure.pending, adding);
      const end = (): void => {
        figure.pending = sum(figure.pending, adding, -1);
      };
      return {
        keep() {
          end();
          figure.stored = sum(figure.stored, adding);
        },
        release: end,
      };
    },
    recount(ownerId) {
      const figure = figures.get(ownerId);
      if (figure) Object.assign(figure, { countedAt: Number.NEGATIVE_INFINITY, tookMs: 0 });
    },
  };
}

const newFigure = (): Figure => ({
  limits: undefined,
  counted: NOTHING,
  stored: NOTHING,
  pending: NOTHING,
  countedAt: Number.NEGATIVE_INFINITY,
  tookMs: 0,
  counting: undefined,
});

/** The resources that a limit can be set for. */
export const LIMITED = ['sessions', 'events', 'bytes'] as const;

function refusalFor({ limits = {}, counted, stored, pending }: Figure, adding: OwnerUse): ParleyError | undefined {
  if (limits.isClosed) return closedRefusal();
  const used = sum(sum(counted, stored), pending);
  const reached = LIMITED.find((name) => adding[name] > 0 && used[name] + adding[name] > (limits[name] ?? Infinity));
  if (!reached) return undefined;
  const limit = limits[reached];
  return new ParleyError(
    'LIMIT_EXCEEDED',
    `The limit of the account for ${reached} is ${limit}. The sessions of the account use ${used[reached]} together, and this call would add ${adding[reached]}. Nothing was stored.`,
    {
      account_limit: reached,
      used: used[reached],
      limit,
      hint: 'You can still read. Make no writes until the owner has deleted sessions or the operator has raised the limit of the account. The owner can still end, pause, export and delete sessions and revoke access.',
    },
  );
}

const closedRefusal = (): ParleyError =>
  new ParleyError('LIMIT_EXCEEDED', 'The account of this session is closed. Nothing was stored.', {
    account_limit: 'closed',
    hint: 'Make no writes until the operator of the service has opened the account again.',
  });

/** Computes the sessions, events and bytes that a write adds to what counts for the limits of its owner. */
export const ownerUseOf = (
  events: readonly { readonly body: string }[],
  documents: readonly { readonly body: string }[],
  sessions = 0,
): OwnerUse => ({
  sessions,
  events: events.length,
  bytes: [...events, ...documents].reduce((bytes, { body }) => bytes + Buffer.byteLength(body), 0),
});

/**
 * Counts what an owner uses: the sessions, and the events that record the erasure of sessions. Without these events, an
 * owner could create and delete sessions without limit.
 */
export async function ownerUsage(storage: Pick<Storage, 'usage'>, ownerId: string): Promise<OwnerUse> {
  const [{ sessions, events, bytes }, erased] = await Promise.all([
    storage.usage(ownerId),
    storage.usage(erasureOwnerOf(ownerId)),
  ]);
  return { sessions, events: events + erased.events, bytes: bytes + erased.bytes };
}
