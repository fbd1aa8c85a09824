import { signal } from '@preact/signals';

export interface DraftPlace {
  readonly sessionId: string;
  /** Id of the record to which the text belongs, or `session` if the text belongs to no record. */
  readonly record: string;
  readonly form: string;
}

/** The key of the drafts in `sessionStorage`. The browser keeps that storage until the tab is closed. */
const STORED = 'parley-drafts';
/**
 * Maximum number of drafts, and maximum number of characters of all drafts together. If a maximum is exceeded, the
 * oldest drafts are removed.
 */
const MAX_DRAFTS = 40;
const MAX_CHARS = 200_000;
/** Matches an owner key, a token or an invitation code. A draft that contains such a secret is kept in memory only. */
const SECRET = /p(?:ok|rt|inv)_[\w-]{16,}/;

/** Texts that the user has typed but not sent, oldest first. `keyOf` makes the key of a draft. */
const drafts = signal<ReadonlyMap<string, string>>(read());
/** The keys of the drafts that are being sent at this moment. */
const sending = signal<ReadonlySet<string>>(new Set());

const keyOf = ({ sessionId, record, form }: DraftPlace): string => JSON.stringify([sessionId, record, form]);

/** Returns the text of a draft, or an empty text if there is no such draft. */
export const draftAt = (place: DraftPlace): string => drafts.value.get(keyOf(place)) ?? '';

/** Stores a text as a draft. An empty text removes the draft. */
export function keepDraft(place: DraftPlace, text: string): void {
  const kept = new Map(drafts.peek());
  kept.delete(keyOf(place));
  if (text !== '') kept.set(keyOf(place), text);
  drafts.value = bounded(kept);
  write();
}

/** A draft as a field binds it. */
export const textDraft = (place: DraftPlace): { value: string } => ({
  get value() {
    return draftAt(place);
  },
  set value(text) {
    keepDraft(place, text);
  },
});

export const dropDraft = (place: DraftPlace): void => keepDraft(place, '');

export function dropDrafts(): void {
  drafts.value = new Map();
  write();
}

/** Sends a draft, and removes the draft if the call succeeds. */
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

/** Returns the text of a draft, or an empty text while the draft is being sent. */
export const leftDraftAt = (place: DraftPlace): string => (sending.value.has(keyOf(place)) ? '' : draftAt(place));

/** Returns the places of all drafts of the form with this name, such as `answer`, except drafts that are being sent. */
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
    // If `sessionStorage` is full or forbidden, the drafts stay in memory.
  }
}

/** The place of the draft answer to a question. */
export const answerPlace = (sessionId: string, questionId: string): DraftPlace => ({
  sessionId,
  record: questionId,
  form: 'answer',
});

/** The place of the draft note on a recommendation. */
export const notePlace = (sessionId: string, recommendationId: string): DraftPlace => ({
  sessionId,
  record: recommendationId,
  form: 'note',
});
