import type { ToolOutput } from '@parley/core/client';
import type { Material } from './material.ts';
import type { CallTool, Json } from './transport.ts';
import { filled } from './writers.ts';

type StateView = ToolOutput<'read_session_state'>;

/** Which of its calls the moderator has already made. */
export interface ModeratorsMemory {
  hasAsked: boolean;
  hasFound: boolean;
  hasObjected: boolean;
  hasApproved: boolean;
  hasAdvised: boolean;
}

export const newMemory = (): ModeratorsMemory => ({
  hasAsked: false,
  hasFound: false,
  hasObjected: false,
  hasApproved: false,
  hasAdvised: false,
});

/**
 * Makes the call in the moderator's instruction. If the instruction is to wait, makes the first of these calls that is
 * due and was not made yet: asks a question; raises a finding, when there is a contract; gives a recommendation, when
 * the moderator has approved the contract.
 *
 * @returns whether it called a tool
 */
export async function actAsModerator(
  moderator: CallTool,
  { moderation }: Material,
  memory: ModeratorsMemory,
): Promise<boolean> {
  if (!moderation) throw new Error('The mission has no part for a moderator.');
  const state = await moderator('read_session_state');
  const { tool, text } = state.instruction;
  const payload = state.pending_actions?.find((action) => action.tool === tool)?.payload ?? {};
  switch (tool) {
    case null:
      return false;
    case 'wait_for_activity':
      return takeInitiative(moderator, moderation, memory, state);
    case 'ack_events': {
      const { next_cursor } = await moderator('get_session_events', { brief: true });
      await moderator('ack_events', { cursor: next_cursor });
      return true;
    }
    case 'complete_action':
      await moderator(tool, { action_id: state.pending_actions?.find((action) => !action.tool)?.action_id });
      return true;
    case 'submit_contract_review':
      await moderator(tool, filled(payload, memory.hasObjected ? moderation.approval : moderation.objection));
      memory.hasApproved = memory.hasObjected;
      memory.hasObjected = true;
      return true;
    case 'resolve_finding':
      await moderator(tool, filled(payload, { outcome: 'RESOLVED' }));
      return true;
    case 'recommend_to_owner':
      await moderator(tool, filled(payload, moderation.advice));
      return true;
    default:
      throw new Error(`The instruction to the moderator names ${tool}, which the bot does not implement: ${text}`);
  }
}

type Moderation = NonNullable<Material['moderation']>;

async function takeInitiative(
  moderator: CallTool,
  { question, finding, advice }: Moderation,
  memory: ModeratorsMemory,
  { latest_revision }: StateView,
): Promise<boolean> {
  const say = async (tool: string, input: Json): Promise<boolean> => {
    await moderator(tool, input);
    return true;
  };
  if (!memory.hasAsked) {
    memory.hasAsked = true;
    return say('ask_agent', question);
  }
  if (!memory.hasFound && latest_revision) {
    memory.hasFound = true;
    return say('submit_moderator_finding', finding);
  }
  if (!memory.hasAdvised && memory.hasApproved) {
    memory.hasAdvised = true;
    return say('recommend_to_owner', advice);
  }
  return false;
}
