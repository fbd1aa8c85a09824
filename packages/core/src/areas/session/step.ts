import { z } from 'zod';

/** The next tool to call and why; built from codes and ids only, never from what an agent wrote. */
export const Instruction = z.strictObject({ tool: z.string().nullable(), text: z.string() });
export type Step = z.output<typeof Instruction>;

export const say = (tool: string | null, text: string): Step => ({ tool, text });
