import { type JsonSchema, publishedSchema } from '../../kernel/operation/json-schema.ts';
import { Contract } from './contract.ts';

/**
 * The contract as a JSON Schema for any validator. This schema and the zod schema of the contract accept the same
 * documents.
 */
export const CONTRACT_JSON_SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Contract between two builders',
  description: 'Who builds what, how the two sides communicate, and how to check that both keep to it.',
  ...publishedSchema(Contract),
};
