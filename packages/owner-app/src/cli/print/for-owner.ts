import { type Members, textIn } from '../../transcript/message.ts';

/** Members of an action that only its agent needs: the call that the agent has to make. */
const FOR_AGENTS = new Set(['tool', 'route', 'payload']);

/** An action without the members in `FOR_AGENTS`. Any other record stays unchanged. */
export const forOwner = (record: Members): Members =>
  textIn(record, 'action_id') === ''
    ? record
    : Object.fromEntries(Object.entries(record).filter(([name]) => !FOR_AGENTS.has(name)));
