import { headed, type Words } from '../event-words.ts';
import type { linkEvents } from './events.ts';

export const linkWords: Words<typeof linkEvents> = {
  'change.linked': ({ role, api, repository }, { nameOf, say }) =>
    headed(`${say('links', 'link')} ${nameOf(role)} with ${repository} at ${api}`),
  'change.unlinked': ({ role }, { nameOf, say }) => headed(`${say('unlinks', 'unlink')} ${nameOf(role)}`),
};
