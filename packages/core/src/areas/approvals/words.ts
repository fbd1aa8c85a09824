import { headed, type Words } from '../event-words.ts';
import type { approvalEvents } from './events.ts';

export const approvalWords: Words<typeof approvalEvents> = {
  'approval.given': ({ stage, revision_id }, { say }) =>
    headed(
      stage === 'approval'
        ? `${say('approves', 'approve')} ${revision_id}; another approver must approve it too`
        : `${say('authorizes', 'authorize')} the ${stage}; another approver must authorize it too`,
    ),
};
