import { z } from 'zod';
import { documented } from '../../../kernel/operation/documented.ts';

/** The next tool to call, and why. Contains codes and ids only, never a text of an agent. */
export const Instruction = z.strictObject({
  tool: z.string().nullable(),
  route: z.string().optional(),
  text: z.string(),
});
documented.add(Instruction, { id: 'Instruction' });
export type Step = z.output<typeof Instruction>;

/** Whether the step is to wait, or there is no step. */
export const isWaiting = ({ tool }: Step): boolean =>
  tool === null || tool === 'wait_for_my_turn' || tool === 'wait_for_activity';

export const say = (tool: string | null, text: string): Step => ({ tool, text });
