import { parseOrNull } from '@parley/core';

/** Maximum size of a payload in bytes. PostgreSQL accepts payloads of less than 8,000 bytes. */
const PAYLOAD_BYTES = 7_500;

/**
 * Packs session ids into as few payloads as possible.
 *
 * @param origin identifies the sender, which ignores its own hints
 * @param sessionIds an empty list means that any session may have changed
 */
export function packHints(origin: string, sessionIds: readonly string[]): readonly string[] {
  const payloads: string[] = [];
  let members = [origin];
  let bytes = 0;
  for (const sessionId of sessionIds) {
    const more = Buffer.byteLength(JSON.stringify(sessionId)) + 1;
    if (members.length > 1 && bytes + more > PAYLOAD_BYTES) {
      payloads.push(JSON.stringify(members));
      members = [origin];
      bytes = 0;
    }
    members.push(sessionId);
    bytes += more;
  }
  return [...payloads, JSON.stringify(members)];
}

/**
 * Returns the session ids in a payload. Returns null if this process has sent the payload itself, or if the text is not
 * a payload of Parley.
 */
export function readHint(payload: string, origin: string): readonly string[] | null {
  const members = parseOrNull(payload);
  if (!Array.isArray(members) || typeof members[0] !== 'string' || members[0] === origin) return null;
  return members.slice(1).filter((member) => typeof member === 'string');
}
