import { z } from 'zod';
import { At, NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** Spec 4.1. Answers as long as the process runs, and does not check the storage. */
export const health = defineOperation({
  name: 'health',
  summary: 'Return name, version and time of the service.',
  rest: 'GET /health',
  access: { anyone: true },
  input: NoInput,
  output: z.strictObject({ ok: z.literal(true), service: z.string(), version: z.string(), time: At }),
  errors: [],

  reply: (_state, _input, { service, now }) => ({
    ok: true as const,
    service: service.name,
    version: service.version,
    time: now,
  }),
});
