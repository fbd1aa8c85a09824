import { type JsonSchema, publishedSchema } from '../../kernel/operation/json-schema.ts';
import { Contract } from './contract.ts';

/** The JSON Schema of a contract. It accepts exactly the contracts that the zod schema {@link Contract} accepts. */
export const CONTRACT_JSON_SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Contract between two builders',
  description: 'Who builds what, how the two sides communicate, and how both services are tested.',
  ...publishedSchema(Contract),
};
