import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';

/**
 * Warnings about texts that were sent and look like credentials. Present only if the session's policy allows such texts.
 * Each warning names the field and the kind of credential.
 */
export const Warnings = z.array(z.strictObject({ path: z.string(), rule: z.string() }));
documented.add(Warnings, { id: 'Warnings' });
