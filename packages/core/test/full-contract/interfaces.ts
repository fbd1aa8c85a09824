import type { Contract } from '../../src/areas/document/contract.ts';

const Capture = {
  type: 'object',
  properties: {
    capture_id: { type: 'string' },
    order_id: { type: 'string' },
    amount: { $ref: '#/$defs/money' },
    status: { enum: ['CAPTURED', 'REFUSED', 'UNKNOWN'] },
  },
  required: ['capture_id', 'order_id', 'amount', 'status'],
  additionalProperties: false,
  $defs: {
    money: {
      type: 'object',
      properties: {
        minor_units: { type: 'integer', minimum: 1, description: 'Cents, never a fraction.' },
        currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      },
      required: ['minor_units', 'currency'],
      additionalProperties: false,
    },
  },
};

export const FULL_MODELS: Contract['data_models'] = [{ id: 'capture', name: 'Capture', json_schema: Capture }];

export const FULL_INTERFACES: Contract['interfaces'] = [
  {
    id: 'captures-api',
    name: 'Captures of the ledger',
    kind: 'http',
    provider: 'agent_b',
    consumers: ['agent_a'],
    description:
      'The shop asks the ledger to capture a payment. One key stands for one capture, however often it comes.',
    operations: [
      {
        name: 'POST /v1/captures',
        request: {
          headers: { 'Idempotency-Key': 'the order id, 1 to 64 characters' },
          body: { order_id: 'o-1001', amount: { minor_units: 4990, currency: 'EUR' } },
        },
        response: '201 with the capture when the key is new, 200 with the same capture when it is repeated.',
        errors: [
          { status: 409, code: 'KEY_REUSED', meaning: 'The key stands for another order or amount. Never try again.' },
          { status: 503, code: 'LEDGER_BUSY', meaning: 'Nothing was booked. Try again after Retry-After seconds.' },
        ],
      },
      {
        name: 'GET /v1/captures/{order_id}',
        response: '200 with the capture of the order, also when its outcome is UNKNOWN.',
        errors: ['404 NO_CAPTURE: the ledger has never seen a key for this order.'],
      },
    ],
  },
  {
    id: 'capture-events',
    name: 'Outcomes of captures',
    kind: 'event',
    provider: 'agent_b',
    consumers: ['agent_a', 'external:support desk'],
    description: 'Sent once an outcome is final; at least once, so a consumer compares capture_id.',
    operations: [
      { name: 'capture.settled', request: 'The data model capture, and settled_at as an RFC 3339 time in UTC.' },
      { name: 'capture.refused', request: 'The data model capture, and reason as a code of the provider.' },
    ],
  },
];
