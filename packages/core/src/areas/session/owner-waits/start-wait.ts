import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { BUILDERS, type Builder } from '../../../kernel/roles.ts';
import type { AccessState } from '../../access/state.ts';
import type { SessionState } from '../../state.ts';
import { type OwnerWait, waitOf } from './owner-wait.ts';

/** The task to start a draft. Its text says first which agents the owner has to invite, and which have a code. */
export const startWait = ({ access, profile, sessionId }: SessionState): OwnerWait =>
  waitOf({
    kind: 'START',
    record: { type: 'session', id: sessionId },
    operation: 'start',
    text: startText(access),
    since: profile.created_at,
  });

function startText(access: AccessState): string {
  const absent = BUILDERS.filter((role) => {
    const token = lookUp(access.tokens, access.currentToken[role] ?? '');
    return !token || token.revoked_at !== null;
  });
  if (absent.length === 0) return 'Both agents have joined: start the session.';
  const have = absent.length === 1 ? 'has' : 'have';
  return `${absent.join(' and ')} ${have} not joined: ${invitingText(absent, access)}, then start the session.`;
}

function invitingText(absent: readonly Builder[], { openCode }: AccessState): string {
  const invited = absent.filter((role) => openCode[role] !== undefined);
  const [one] = invited;
  if (one === undefined) return `invite ${absent.length === 1 ? 'it' : 'them'}`;
  if (absent.length === 1) return 'send it its invitation code';
  if (invited.length === absent.length) return 'send them their invitation codes';
  return `invite ${absent.filter((role) => role !== one).join()}, send ${one} its invitation code`;
}
