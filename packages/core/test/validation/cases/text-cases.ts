import { add, put } from '../changes.ts';
import { credentials } from './credentials.ts';
import type { RuleCases } from './rule-case.ts';

const SUMMARY = '/summary';
const RESPONSE = '/interfaces/0/operations/0/response';
const MODEL = '/data_models/0/json_schema';
const CONTENT = '/artifacts/0/content';

const PLACEHOLDERS = [
  'TODO',
  '[TODO]',
  'tbd',
  'TBD.',
  '...',
  '???',
  'TODO: name the codes',
  'The body. TODO(ada): name the codes',
  'FIXME: wrong order',
  'Errors: TBD',
  'Response: TODO',
  'One retry (TBD), then an error.',
  'TBD by agent_b',
  'The format is still TBD.',
  'TODO define the codes',
  'Lorem ipsum dolor sit amet.',
  '<your reason>',
  'Because <your reason here>.',
  '<what is built>',
  '<text>',
  'In short: <...>',
];

const ORDINARY = [
  'Every item of the todo list is sent.',
  'GET /todos gives the TODO list.',
  'No TODO or FIXME is left in the changed files.',
  'An item moves from TODO to DONE.',
  'The column is one of (TODO, DOING, DONE).',
  'A new item has the status: TODO',
  'TODO: not begun, DOING: in work, DONE: over.',
  'The linter refuses `TODO:` in comments.',
  'A Map<string, number> and a Promise<void>.',
  'The page shows <button disabled> until a < b and c > d.',
  'GET /orders/<order_id> with Authorization: Bearer <token>',
  'Press <enter> to go on.',
  'Waits ... then answers?',
  'A placeholder in the form shows the currency.',
  'The owner decides what is to be deployed.',
  'XXX_LIMIT is read from the environment.',
  'TBDC-42 is the ticket.',
];

export const textCases: RuleCases = {
  PLACEHOLDER_TEXT: {
    severity: 'error',
    cases: [
      ...PLACEHOLDERS.map((text) => ({ with: `the text ${text}`, changes: [put(SUMMARY, text)], at: [SUMMARY] })),
      ...ORDINARY.map((text) => ({ with: `the sentence ${text}`, changes: [put(SUMMARY, text)], at: [] })),
      {
        with: 'a consumer copied from a template',
        changes: [put('/interfaces/1/consumers/1', 'external:<name>')],
        at: ['/interfaces/1/consumers/1'],
      },
      { with: 'a response still to be written', changes: [put(RESPONSE, 'TODO')], at: [RESPONSE] },
      {
        with: 'an error still to be written',
        changes: [put('/interfaces/0/operations/0/errors', ['TBD'])],
        at: ['/interfaces/0/operations/0/errors/0'],
      },
      {
        with: 'a note inside a schema',
        changes: [put(`${MODEL}/properties/order_id`, { description: 'TODO: which form?' })],
        at: [`${MODEL}/properties/order_id/description`],
      },
      { with: 'an artifact still to be written', changes: [put(CONTENT, 'TODO\n')], at: [CONTENT] },
      {
        with: 'statuses and variable parts inside payloads',
        changes: [
          put(`${MODEL}/properties/status`, { enum: ['TODO', 'DONE'], examples: ['<uuid>'] }),
          put(RESPONSE, { id: '<the id>', status: 'TODO', next: '...' }),
        ],
        at: [],
      },
      {
        with: 'a response with a variable part',
        changes: [put(RESPONSE, '201, Location: /v1/captures/<your id>')],
        at: [],
      },
      {
        with: 'code in an artifact',
        changes: [put(CONTENT, '// TODO: index\nconst a: Array<string> = []; // <your key>')],
        at: [],
      },
    ],
  },
  CREDENTIAL_TEXT: {
    severity: 'error',
    cases: [
      ...Object.entries(credentials.real).map(([kind, text]) => ({
        with: kind,
        changes: [put(SUMMARY, `Use ${text} for this.`)],
        at: [SUMMARY],
      })),
      ...Object.entries(credentials.harmless).map(([kind, text]) => ({
        with: kind,
        changes: [put(SUMMARY, `Use ${text} for this.`)],
        at: [],
      })),
      {
        with: 'a payload',
        changes: [put(RESPONSE, { headers: [{ key: credentials.real.github }] })],
        at: [`${RESPONSE}/headers/0/key`],
      },
      {
        with: 'the name of a member',
        changes: [put(RESPONSE, { keys: { [credentials.real.github]: 1 } })],
        at: [`${RESPONSE}/keys`],
      },
      {
        with: 'a member below a secret name',
        changes: [put(RESPONSE, { [credentials.real.aws]: { a: credentials.real.github } })],
        at: [RESPONSE, RESPONSE],
      },
      { with: 'an artifact', changes: [put(CONTENT, `key: ${credentials.real['private key']}`)], at: [CONTENT] },
      {
        with: 'a second one behind a sample',
        changes: [put(SUMMARY, `${credentials.harmless['a sample']} ${credentials.real.github}`)],
        at: [SUMMARY],
      },
      { with: 'an id', changes: [add('/decisions/-', credentials.real.github)], at: ['/decisions/2'] },
    ],
  },
};
