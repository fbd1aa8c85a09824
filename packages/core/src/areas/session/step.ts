import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';

/** The next tool to call and why; built from codes and ids only, never from what an agent wrote. */
export const Instruction = z.strictObject({ tool: z.string().nullable(), text: z.string() });
documented.add(Instruction, { id: 'Instruction' });
export type Step = z.output<typeof Instruction>;

/** Whether nothing is asked of the role but to wait, or nothing at all. */
export const isWaiting = ({ tool }: Step): boolean =>
  tool === null || tool === 'wait_for_my_turn' || tool === 'wait_for_activity';

export const say = (tool: string | null, text: string): Step => ({ tool, text });
