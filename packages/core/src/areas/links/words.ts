import { headed, type Words } from '../event-words.ts';
import type { linkEvents } from './events.ts';

export const linkWords: Words<typeof linkEvents> = {
  'change.linked': ({ role, forge, api, repository, number, new_token }, { nameOf, say }) =>
    headed(
      `${say('links', 'link')} the commits of ${nameOf(role)} with ${repository}${number === undefined ? '' : ` #${number}`} on ${forge} (${api})${new_token ? ', with a new token' : ''}`,
    ),
  'change.unlinked': ({ role }, { nameOf, say }) =>
    headed(`${say('removes', 'remove')} the link of ${nameOf(role)}, and its token`),
};
