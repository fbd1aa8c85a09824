import type { Answer, OwnerClient } from '@parley/core/client';
import { visibleLine } from '../../text/visible.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { listedSessions } from './all-sessions.ts';

const MIN_CHARS = 4;
const WHOLE_CHARS = 22;
const SHOWN = 10;

type Listed = Answer<'listSessions'>['sessions'][number];

/** Whether a text can be the beginning of a session id: four or more characters that occur in ids. */
export const isSessionPrefix = (text: string): boolean =>
  text.length >= MIN_CHARS && text.length <= WHOLE_CHARS && /^[0-9A-Za-z]+$/.test(text);

/** Whether a text has the length and the characters of a whole session id. */
export const isWholeSessionId = (text: string): boolean => text.length === WHOLE_CHARS && isSessionPrefix(text);

/**
 * Returns the id of the only session whose id begins with a text. A complete id is returned without a call. A text that
 * cannot be the beginning of an id is returned unchanged, so that the service refuses it.
 */
export async function wholeSessionId(client: OwnerClient, given: string): Promise<string> {
  if (isWholeSessionId(given) || !isSessionPrefix(given)) return given;
  const found: Listed[] = [];
  for await (const session of listedSessions(client)) if (session.session_id.startsWith(given)) found.push(session);
  const [only, ...others] = found;
  if (!only)
    throw new CliError(
      EXIT.REFUSED,
      `You have no session whose id begins with ${given}. List your sessions: parley sessions`,
    );
  if (others.length > 0) throw new CliError(EXIT.USAGE, ambiguityText(given, found));
  return only.session_id;
}

function ambiguityText(given: string, found: readonly Listed[]): string {
  const lines = found.slice(0, SHOWN).map(({ session_id, title }) => `  ${session_id}  ${visibleLine(title)}`);
  const more = found.length > SHOWN ? [`  and ${found.length - SHOWN} more`] : [];
  return [
    `The ids of ${found.length} sessions begin with ${given}. Give more characters of the id:`,
    ...lines,
    ...more,
  ].join('\n');
}
