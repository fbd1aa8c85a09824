import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';

/**
 * Warnings in an answer, if the session's policy stores texts with credentials. Each names the field and the kind of
 * credential.
 */
export const Warnings = z.array(z.strictObject({ path: z.string(), rule: z.string() }));
documented.add(Warnings, { id: 'Warnings' });
