import { z } from 'zod';
import { Contract } from './contract.ts';

const members = Object.fromEntries(
  Object.keys(Contract.shape).map((name) => [name, { description: 'See contract_schema of get_contract_schema.' }]),
);

/** A contract as it is handed in: any JSON object. What it breaks, validation says; its bytes are never changed. */
export const ContractInput = z
  .record(z.string(), z.unknown())
  .meta({ properties: members })
  .describe('The whole contract as an object; get_contract_schema gives its JSON Schema and a full example.');
