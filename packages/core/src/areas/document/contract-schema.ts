import { type JsonSchema, publishedSchema } from '../../kernel/operation/json-schema.ts';
import { Contract } from './contract.ts';
import { EXAMPLE_CONTRACT } from './example.ts';

/** The contract's shape for any validator of JSON Schema; it takes and refuses the same documents as our own. */
export const CONTRACT_JSON_SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Contract between two builders',
  description: 'What is built by whom, how the two sides meet, and how anybody can tell that it holds.',
  ...publishedSchema(Contract),
  examples: [EXAMPLE_CONTRACT],
};
