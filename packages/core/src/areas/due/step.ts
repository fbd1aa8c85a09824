import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';

/** The next tool to call, and why. Contains codes and ids, but no text of an agent. */
export const Instruction = z.strictObject({
  tool: z.string().nullable(),
  route: z.string().optional(),
  text: z.string(),
});
documented.add(Instruction, { id: 'Instruction' });

/** The next call of a role, or the reason to wait. */
export interface Step {
  readonly tool: string | null;
  readonly text: string;
  /** Input for the tool. The agent must replace each `<...>` in the input. */
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
}

export const isWaiting = ({ tool }: Pick<Step, 'tool'>): boolean =>
  tool === null || tool === 'wait_for_my_turn' || tool === 'wait_for_activity';

export const say = (tool: string | null, text: string, payload?: Step['payload']): Step => ({ tool, text, payload });
