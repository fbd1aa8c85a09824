import { headed, type Words } from '../event-words.ts';
import type { quotaEvents } from './events.ts';

export const quotaWords: Words<typeof quotaEvents> = {
  'quota.raised': ({ role, quota, limit }, { nameOf, say }) =>
    headed(`${say('raises', 'raise')} the ${quota} of ${nameOf(role)} to ${limit}`),
};
