import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { ActorName } from '../fields.ts';

export const OtherAddress = z.string().optional().describe("Address of the other builder's service, as declared.");

/** A call that a builder must or can make next. `reason` contains codes and ids, but no text of an agent. */
export const NextItemView = z.strictObject({
  priority: z.int().describe('1 is first.'),
  tool: z.string(),
  route: z.string(),
  payload: z.record(z.string(), z.unknown()).describe('Ready to be sent; replace each <...>.'),
  reason: z.string(),
  scenario_id: z.string().optional(),
  other_address: OtherAddress,
  said: z
    .strictObject({ from: ActorName, text: z.string() })
    .optional()
    .describe('The question or directive to answer.'),
});
documented.add(NextItemView, { id: 'NextItem' });

export interface NextItem extends Readonly<Omit<z.output<typeof NextItemView>, 'priority'>> {
  /** Id of the defect that the builder must fix before this call. The call itself does not name the defect. */
  readonly fixes?: string;
  /** Id of the directive that the builder has acknowledged and answers with this call. */
  readonly reports_on?: string;
}
