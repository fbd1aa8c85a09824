import { signal } from '@preact/signals';

/** Identifies a draft. */
export interface DraftPlace {
  readonly sessionId: string;
  /** Id of the record to which the text belongs; `session` if it belongs to none. */
  readonly record: string;
  /** Name of the form. */
  readonly form: string;
}

/**
 * The key under which the session storage contains the drafts. The browser keeps that storage for one tab until the tab is
 * closed, even if the page is reloaded.
 */
const STORED = 'parley-drafts';
/** Maximum number of drafts, and maximum number of their characters together. Beyond these, the oldest drafts are removed. */
const MAX_DRAFTS = 40;
const MAX_CHARS = 200_000;
/** Matches an owner key, a token or an invitation code. A draft that contains such a secret is kept in memory only. */
const SECRET = /p(?:ok|rt|inv)_[\w-]{16,}/;

/** The drafts: texts that were typed but not sent, oldest first. The key of a draft is made from its `DraftPlace`. */
const drafts = signal<ReadonlyMap<string, string>>(read());
/** The keys of the drafts that are being sent at this moment. */
const sending = signal<ReadonlySet<string>>(new Set());

const keyOf = ({ sessionId, record, form }: DraftPlace): string => JSON.stringify([sessionId, record, form]);

/** The text of a draft. Empty if there is no such draft. */
export const draftAt = (place: DraftPlace): string => drafts.value.get(keyOf(place)) ?? '';

/** Stores a text as a draft. An empty text removes the draft. */
export function keepDraft(place: DraftPlace, text: string): void {
  const kept = new Map(drafts.peek());
  kept.delete(keyOf(place));
  if (text !== '') kept.set(keyOf(place), text);
  drafts.value = bounded(kept);
  write();
}

export const dropDraft = (place: DraftPlace): void => keepDraft(place, '');

/** Removes every draft. */
export function dropDrafts(): void {
  drafts.value = new Map();
  write();
}

/** Sends a draft. If that succeeds, removes it. */
export async function sendDraft(place: DraftPlace, send: () => Promise<unknown>): Promise<void> {
  const key = keyOf(place);
  sending.value = new Set([...sending.peek(), key]);
  try {
    await send();
    dropDraft(place);
  } finally {
    sending.value = new Set([...sending.peek()].filter((other) => other !== key));
  }
}

/** The text of a draft. Empty while it is being sent. */
export const leftDraftAt = (place: DraftPlace): string => (sending.value.has(keyOf(place)) ? '' : draftAt(place));

/** Identifies all drafts of a form, except drafts that are being sent. */
export const leftPlacesOf = (form: string): DraftPlace[] =>
  [...drafts.value.keys()]
    .filter((key) => !sending.value.has(key))
    .map(placeOf)
    .filter((place) => place.form === form);

function placeOf(key: string): DraftPlace {
  const [sessionId = '', record = '', form = ''] = JSON.parse(key) as readonly string[];
  return { sessionId, record, form };
}

function bounded(all: Map<string, string>): ReadonlyMap<string, string> {
  let chars = [...all.values()].reduce((sum, { length }) => sum + length, 0);
  for (const [key, text] of all) {
    if (all.size <= MAX_DRAFTS && chars <= MAX_CHARS) break;
    all.delete(key);
    chars -= text.length;
  }
  return all;
}

function read(): ReadonlyMap<string, string> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
    const isPair = (item: unknown): item is [string, string] =>
      Array.isArray(item) && item.length === 2 && item.every((part) => typeof part === 'string');
    return new Map(Array.isArray(stored) ? stored.filter(isPair) : []);
  } catch {
    return new Map();
  }
}

function write(): void {
  const pairs = [...drafts.peek()].filter(([, text]) => !SECRET.test(text));
  try {
    if (pairs.length === 0) sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, JSON.stringify(pairs));
  } catch {
    // The session storage is full, or the browser forbids it. The drafts are still in memory.
  }
}
