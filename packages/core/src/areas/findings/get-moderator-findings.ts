import { defineOperation } from '../operation.ts';
import { findingListParts, findingListReply } from './finding-list.ts';

/** Spec 4.3. */
export const getModeratorFindings = defineOperation({
  ...findingListParts,
  name: 'get_moderator_findings',
  access: { moderator: true },
  reply: findingListReply('get_moderator_findings'),
});
