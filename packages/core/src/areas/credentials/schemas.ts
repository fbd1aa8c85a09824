import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';

/** What an answer warns of where the session's policy stores it: the field, and the kind of credential. */
export const Warnings = z.array(z.strictObject({ path: z.string(), rule: z.string() }));
documented.add(Warnings, { id: 'Warnings' });
