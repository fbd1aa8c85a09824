import { z } from 'zod';
import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { RequirementView } from '../session/schemas.ts';
import { PreflightView, viewPreflight } from './schemas.ts';

/** Spec 4.2. */
export const getPreflight = defineOperation({
  name: 'get_preflight',
  summary: 'Show the mission requirements that the contract must meet, and the present preflight record.',
  rest: 'GET preflight',
  access: { builder: 'get_contract_schema' },
  input: NoInput,
  output: z.strictObject({ requirements: z.array(RequirementView), preflight: PreflightView.nullable() }),
  errors: [],

  reply: (state) => ({
    requirements: state.profile.requirements.map((requirement) => ({ ...requirement })),
    preflight: viewPreflight(state),
  }),
});
