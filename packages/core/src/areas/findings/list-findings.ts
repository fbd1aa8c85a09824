import { defineOperation } from '../operation.ts';
import { findingListParts, findingListReply } from './finding-list.ts';

export const listFindings = defineOperation({
  ...findingListParts,
  name: 'list_findings',
  access: { builder: 'read_session_state' },
  reply: findingListReply('list_findings'),
});
