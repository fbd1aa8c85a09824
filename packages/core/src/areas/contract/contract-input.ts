import { z } from 'zod';
import { documentAs } from '../../kernel/operation/documented.ts';
import { Contract } from '../document/contract.ts';
import { CONTRACT_JSON_SCHEMA } from '../document/contract-schema.ts';

const { properties, required } = CONTRACT_JSON_SCHEMA;

/** A contract as it is handed in: any JSON object, read by the contract's schema. What it breaks, validation says. */
export const ContractInput = z
  .record(z.string(), z.unknown())
  .meta({ properties, required })
  .describe('The whole contract as an object; get_contract_schema gives its JSON Schema and a full example.');
documentAs(ContractInput, Contract);
