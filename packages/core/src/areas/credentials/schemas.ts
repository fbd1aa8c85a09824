import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';

/**
 * Warnings about credentials in the texts that were sent, if the session's policy allows such texts. Each names the field and
 * the kind of credential.
 */
export const Warnings = z.array(z.strictObject({ path: z.string(), rule: z.string() }));
documented.add(Warnings, { id: 'Warnings' });
