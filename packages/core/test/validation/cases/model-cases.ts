import { add, put } from '../changes.ts';
import type { RuleCases } from './rule-case.ts';

const MODEL = '/data_models/0/json_schema';
const schema = (json: unknown) => [put(MODEL, json)];

export const modelCases: RuleCases = {
  DATA_MODEL_TYPE_UNKNOWN: {
    severity: 'error',
    cases: [
      {
        with: 'a date',
        changes: [put(`${MODEL}/properties/order_id/type`, 'date')],
        at: [`${MODEL}/properties/order_id/type`],
      },
      {
        with: 'one of several, and a number',
        changes: schema({ type: ['string', 'any'], $defs: { 'a/b~c': { items: { type: 7 } } } }),
        at: [`${MODEL}/type`, `${MODEL}/$defs/a~1b~0c/items/type`],
      },
      {
        with: 'a branch',
        changes: schema({ anyOf: [{ type: 'null' }, { type: 'float' }] }),
        at: [`${MODEL}/anyOf/1/type`],
      },
      {
        with: 'a member below a name that is too long',
        changes: schema({ properties: { ['n'.repeat(61)]: { type: 'date' } } }),
        at: [`${MODEL}/properties`],
      },
      {
        with: 'a member named type, and data',
        changes: schema({
          properties: { type: { const: { type: 'date' } } },
          examples: [{ type: 'card' }],
          enum: [{ type: 'card' }],
        }),
        at: [],
      },
      { with: 'a schema that takes all', changes: schema(true), at: [] },
      { with: 'several types', changes: schema({ type: ['string', 'null'], items: [{ type: 'integer' }] }), at: [] },
    ],
  },
  DATA_MODEL_REF_UNKNOWN: {
    severity: 'warning',
    cases: [
      { with: 'a place in the contract', changes: schema({ $ref: '#/data_models/capture' }), at: [`${MODEL}/$ref`] },
      {
        with: 'a member that every object has',
        changes: schema({ items: { $ref: '#/$defs/constructor' }, $defs: {} }),
        at: [`${MODEL}/items/$ref`],
      },
      { with: 'an escaped name', changes: schema({ $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': {} } }), at: [] },
      {
        with: 'its own root and another document',
        changes: schema({ anyOf: [{ $ref: '#' }, { $ref: 'money.json#/$defs/cents' }] }),
        at: [],
      },
      {
        with: 'a schema with an id of its own inside',
        changes: schema({ items: { $id: 'money', $ref: '#/$defs/cents' } }),
        at: [],
      },
      { with: 'an example that holds a $ref', changes: schema({ examples: [{ $ref: '#/nowhere' }] }), at: [] },
    ],
  },
  DATA_MODEL_UNSATISFIABLE: {
    severity: 'error',
    cases: [
      {
        with: 'a name spelled otherwise',
        changes: [put(`${MODEL}/required/1`, 'orderId')],
        at: [`${MODEL}/required/1`],
      },
      {
        with: 'a schema inside',
        changes: [add(`${MODEL}/$defs/money/required/-`, 'toString')],
        at: [`${MODEL}/$defs/money/required/2`],
      },
      { with: 'further members allowed', changes: schema({ required: ['order_id'], properties: {} }), at: [] },
      {
        with: 'members by pattern',
        changes: schema({ required: ['x-a'], additionalProperties: false, patternProperties: { '^x-': {} } }),
        at: [],
      },
    ],
  },
};
