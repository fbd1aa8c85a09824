import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { Party, RecordRef } from '../fields.ts';
import { pickOf } from '../pick.ts';
import { routeOf } from '../routes.ts';
import { BLOCKER_CODES } from '../task.ts';
import type { StoppingTask } from '../tasks/agent-tasks.ts';

/**
 * A reason why the contract cannot be certified: the record, the responsible role, and the call that removes the
 * blocker.
 */
export const BlockerView = z.strictObject({
  code: z.enum(BLOCKER_CODES).register(documented, { id: 'BlockerCode' }),
  record: RecordRef,
  responsible: Party,
  waits_for: Party.optional().describe('Who must act first.'),
  message: z.string(),
  resolution: z.strictObject({
    text: z.string(),
    tool: z.string().optional().describe("The responsible agent's tool, or the owner's operation."),
    route: z.string().optional(),
    payload: z.record(z.string(), z.unknown()).optional().describe('Input to send; replace each <...>.'),
  }),
});
documented.add(BlockerView, { id: 'Blocker' });

/**
 * A blocker as the state view lists it. Only a VALIDATION_ERROR has a `message`, because the validation errors of a
 * revision all name the same record and differ only in their message.
 */
export const BlockerLine = BlockerView.pick({ code: true, record: true, responsible: true, waits_for: true }).extend({
  message: z.string().optional().describe('Rule and place of a VALIDATION_ERROR.'),
});

const pickLine = pickOf(BlockerLine);

export const viewBlockerLine = ({ due_to: responsible, stops }: StoppingTask): z.output<typeof BlockerLine> => {
  const { message, ...stopping } = stops;
  return pickLine({ ...stopping, responsible, ...(stops.code === 'VALIDATION_ERROR' ? { message } : {}) });
};

/** A task that stops certification, as `list_blockers` shows it. */
export function viewBlocker({ due_to: responsible, tool, payload, stops }: StoppingTask): z.output<typeof BlockerView> {
  const { code, record, message, text, waits_for } = stops;
  const resolution = { text, tool, ...routeOf(tool, responsible), payload: payload && { ...payload } };
  return { code, record, responsible, message, ...(waits_for && { waits_for }), resolution };
}
