import type { StoredEvent } from '@parley/core';
import { EMPTY, type ReadEvent, read, type Standing } from './standing.ts';

export interface Moment {
  readonly time: number;
  readonly seq: number;
  readonly standing: Standing;
}

/** The log of a session as the checks see it. A rollback of the database removes its last events here too. */
export interface SessionHistory {
  readonly events: ReadEvent[];
  /** State after each commit in the log, oldest first. */
  readonly moments: Moment[];
  /** For each commit, the markers of its writes. A marker is a text that only one write contains. */
  readonly markers: string[][];
  /** Number of rollbacks of this session so far. */
  epoch: number;
  /** Number of the last event that an answer has shown. */
  vouched: number;
}

export const newHistory = (): SessionHistory => ({ events: [], moments: [], markers: [], epoch: 0, vouched: 0 });

const BEGINNING: Moment = { time: 0, seq: 0, standing: EMPTY };

export const latest = ({ moments }: SessionHistory): Moment => moments.at(-1) ?? BEGINNING;

export const momentAt = ({ moments }: SessionHistory, time: number): Moment =>
  moments.findLast((moment) => moment.time <= time) ?? BEGINNING;

/** Returns the state after the commit that contains the event `seq`. */
export const momentOf = (history: SessionHistory, seq: number): Moment =>
  history.moments.find((moment) => moment.seq >= seq) ?? latest(history);

export function extend(history: SessionHistory, events: readonly ReadEvent[], time: number): void {
  const standing = events.reduce(read, latest(history).standing);
  history.events.push(...events);
  history.moments.push({ time, seq: history.events.length, standing });
}

export function cut(history: SessionHistory, lost: number): void {
  history.events.splice(history.events.length - lost, lost);
  while (latest(history).seq > history.events.length) history.moments.pop();
  history.epoch += 1;
  history.vouched = Math.min(history.vouched, history.events.length);
}

/** Parses a stored event. Takes the event's number from the text, not from the database column. */
export function readStored({ hash, body }: StoredEvent): ReadEvent {
  const { seq, at, kind, actor, data, prev_hash } = JSON.parse(body);
  return { seq, at, kind, actor, data, prevHash: prev_hash, hash };
}
