import { z } from 'zod';
import { documentAs } from '../../kernel/operation/documented.ts';
import { Contract } from '../document/contract.ts';
import { CONTRACT_JSON_SCHEMA } from '../document/contract-schema.ts';

const { properties, required } = CONTRACT_JSON_SCHEMA;

/**
 * A contract as an agent submits it: any JSON object. If it breaks the contract's schema, the validation reports this,
 * and the call is not refused.
 */
export const ContractInput = z
  .record(z.string(), z.unknown())
  .meta({ properties, required })
  .describe('As get_contract_schema describes it.');
documentAs(ContractInput, Contract);
