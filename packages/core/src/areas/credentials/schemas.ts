import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';

/**
 * Warnings about members of the input that look like credentials. Absent unless the session's policy allows such texts.
 */
export const Warnings = z.array(z.strictObject({ path: z.string(), rule: z.string() }));
documented.add(Warnings, { id: 'Warnings' });
