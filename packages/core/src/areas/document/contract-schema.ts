import { type JsonSchema, publishedSchema } from '../../kernel/operation/json-schema.ts';
import { Contract } from './contract.ts';

/**
 * The contract as a JSON Schema for any validator. It accepts and rejects the same documents as our own validation of
 * the schema.
 */
export const CONTRACT_JSON_SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Contract between two builders',
  description: 'Who builds what, how the two sides communicate, and how to check that both keep to it.',
  ...publishedSchema(Contract),
};
