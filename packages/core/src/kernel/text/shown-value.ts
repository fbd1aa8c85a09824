import type { z } from 'zod';
import { countCharacters } from './characters.ts';
import { quotedName } from './safe-echo.ts';

const SHOWN_CHARS = 40;

/** Appends the refused value, or its length, to the text of an error: `Must be a number; got "abc".` An empty text is left out. */
export function withValue({ code, message }: z.core.$ZodIssue, value: unknown): string {
  if (code === 'custom' || value === '') return message;
  const isLength = code === 'too_big' || code === 'too_small';
  return `${message.replace(/\.$/, '')}; got ${(isLength ? lengthOf(value) : undefined) ?? shownValue(value)}.`;
}

function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string') return countCharacters(value);
  return Array.isArray(value) ? value.length : undefined;
}

/** Makes a value from a request safe for an error message. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return `${quotedName(value, SHOWN_CHARS)}${value.length > SHOWN_CHARS ? '…' : ''}`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}
