import { defineOperation } from '../operation.ts';
import { findingListParts, findingListReply } from './finding-list.ts';

export const getModeratorFindings = defineOperation({
  ...findingListParts,
  name: 'get_moderator_findings',
  access: { moderator: true },
  reply: findingListReply('get_moderator_findings'),
});
