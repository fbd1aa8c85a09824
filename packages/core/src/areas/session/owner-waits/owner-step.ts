import type { z } from 'zod';
import type { Presence } from '../../../kernel/last-calls.ts';
import type { SessionState } from '../../state.ts';
import type { Instruction } from '../../task.ts';
import type { OwnerWait } from './owner-wait.ts';
import { ownerWaits } from './owner-waits.ts';

/** Kinds of tasks that the owner may leave as they are. */
const CAN_STAND: readonly OwnerWait['kind'][] = [
  'BLOCKER',
  'DISPUTE',
  'ANSWER',
  'HOLD',
  'QUOTA_LOW',
  'QUOTA_EXHAUSTED',
  'AGENT_ABSENT',
  'ROUNDS_USED',
];

/** The first task that the owner must do. Tasks of the kinds in `CAN_STAND` count only if they block. */
export function ownerStep(state: SessionState, presence?: Presence): z.output<typeof Instruction> {
  const first = ownerWaits(state, presence).find(({ kind, blocking }) => blocking || !CAN_STAND.includes(kind));
  return first
    ? { tool: first.operation, text: first.text }
    : { tool: null, text: 'Nothing waits for you. What each agent has to do is in duties.' };
}
