/**
 * The limits of owners, and how much of them is used. For each owner the process keeps a figure that the storage has counted, and
 * adds to it what this process has appended since. So a write needs no further statement. The figure is counted again if it is older
 * than 5 s, and before a refusal if it is older than 1 s. What other processes append meanwhile is not in it: together they can go
 * beyond a limit by what they append within 5 s.
 *
 * If the storage cannot count, for example because one server of several is away, the last figure and limits stay in use until the
 * next count. Writes of an owner that this process has never counted fail.
 *
 * Cannot happen: writes of one process together go beyond a limit, because each write is added to the figure before it is sent.
 * A write that is stored while the figure is counted may be counted twice, until the figure is counted again.
 */
import type { Clock } from '../clock.ts';
import { ParleyError } from '../errors.ts';
import { type OwnerUse, StorageUnavailable } from '../storage/storage.ts';

/** The most that the sessions of one owner may use together. A limit that is left out does not limit. */
export type OwnerLimits = { readonly [limit in keyof OwnerUse]?: number | undefined } & {
  /** Whether nothing is stored for the owner any more, except what ends, stops, revokes and deletes. */
  readonly isClosed?: boolean | undefined;
};

/** Returns the limits of an owner. Called at most once a second for each owner, and only for writes. */
export type LimitsOf = (ownerId: string) => OwnerLimits | undefined | Promise<OwnerLimits | undefined>;

/** What a write has added to the figure of its owner, before it is sent. */
export interface Reservation {
  /** The write is stored. */
  keep(): void;
  /** The write is not stored. */
  release(): void;
}

export interface OwnerAllowances {
  /**
   * Adds a write to the use of its owner.
   *
   * @param isExempt whether the write is never refused
   * @returns the refusal, if the write would go beyond a limit
   */
  reserve(ownerId: string, adding: OwnerUse, isExempt?: boolean): Promise<Reservation | ParleyError>;
  /** Counts the use of the owner again before the next write. Called after a session was deleted. */
  recount(ownerId: string): void;
}

/** Milliseconds after which an owner's use is counted, and its limits are read, again. */
const STALE_MS = 5_000;
/**
 * The same before a write is refused, so that a raised limit or a deleted session takes effect within a second.
 */
const STALE_FOR_REFUSAL_MS = 1_000;
/** Counting takes at most a fiftieth of the time, also if the storage counts slowly. */
const PAUSE_FACTOR = 50;
const MAX_OWNERS = 10_000;

const NOTHING: OwnerUse = { sessions: 0, events: 0, bytes: 0 };
const sum = (a: OwnerUse, b: OwnerUse, sign: 1 | -1 = 1): OwnerUse => ({
  sessions: a.sessions + sign * b.sessions,
  events: a.events + sign * b.events,
  bytes: a.bytes + sign * b.bytes,
});

interface Figure {
  /** Undefined until the first count. */
  limits: OwnerLimits | undefined;
  counted: OwnerUse;
  /** Stored by this process since the count began. */
  stored: OwnerUse;
  /** Sent by this process, with an outcome that is not known yet. */
  pending: OwnerUse;
  /** When the last count or attempt to count began, in milliseconds since the epoch. */
  countedAt: number;
  /** How long that took, in milliseconds. */
  tookMs: number;
  counting: Promise<void> | undefined;
}

/** @param usageOf counts what the owner uses */
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

  /** Counts again if the figure is older than this. */
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

const LIMITED = ['sessions', 'events', 'bytes'] as const;

/** The refusal of a write that would go beyond a limit. */
function refusalFor({ limits = {}, counted, stored, pending }: Figure, adding: OwnerUse): ParleyError | undefined {
  if (limits.isClosed) return closedRefusal();
  const used = sum(sum(counted, stored), pending);
  const reached = LIMITED.find((name) => adding[name] > 0 && used[name] + adding[name] > (limits[name] ?? Infinity));
  if (!reached) return undefined;
  const limit = limits[reached];
  return new ParleyError(
    'LIMIT_EXCEEDED',
    `The account has a limit of ${limit} ${reached} in all its sessions, uses ${used[reached]}, and this call would add ${adding[reached]}. Nothing was stored.`,
    {
      account_limit: reached,
      used: used[reached],
      limit,
      hint: 'Read on, but write no more until the owner has deleted sessions or had the limit of the account raised. The owner can still end, pause, export and delete sessions and revoke access.',
    },
  );
}

const closedRefusal = (): ParleyError =>
  new ParleyError('LIMIT_EXCEEDED', 'The account of this session is closed. Nothing was stored.', {
    account_limit: 'closed',
    hint: 'Stop working on this session until whoever runs the service has opened the account again.',
  });

/** What events and documents add to the use of their owner. */
export const useOf = (
  events: readonly { readonly body: string }[],
  documents: readonly { readonly body: string }[],
  sessions = 0,
): OwnerUse => ({
  sessions,
  events: events.length,
  bytes: [...events, ...documents].reduce((bytes, { body }) => bytes + Buffer.byteLength(body), 0),
});
