import { headed, type Words } from '../event-words.ts';
import type { accessEvents } from './events.ts';

export const accessWords: Words<typeof accessEvents> = {
  'invitation.created': ({ role }, { nameOf, say }) => headed(`${say('invites', 'invite')} ${nameOf(role)}`),
  'invitation.redeemed': ({ client_type }, { say }) =>
    headed(`${say('joins', 'join')}${client_type ? ` (${client_type})` : ''}`),
  'access.revoked': ({ role, only = 'access' }, { nameOf, say }) =>
    headed(`${say('revokes', 'revoke')} the ${only} of ${nameOf(role)}`),
  'moderator.stopped': ({ reason }, { say }) => headed(`${say('stops', 'stop')} the moderator`, reason),
  'moderator.restored': (_, { say }) => headed(`${say('restores', 'restore')} the moderator`),
  'moderator.granted': ({ permissions }, { say }) =>
    headed(`${say('lets', 'let')} the moderator ${permissions.join(', ') || 'read, and nothing else'}`),
  'entitlement.changed': ({ entitled }, { say }) =>
    headed(`${say('allows', 'allow')} ${entitled ? 'moderators' : 'no moderators'} from now on`),
};
