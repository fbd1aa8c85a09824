import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import ASYNCAPI from '@asyncapi/specs/schemas/3.0.0.json' with { type: 'json' };
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportsOf } from '../../../src/cli/contract/export.ts';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { newFolder } from '../../new-folder.ts';
import { twoRepositories } from './two-repositories.ts';

const exported = (contract: object) =>
  exportsOf({
    ...{ session_id: 's'.repeat(22), revision_id: 'r_1', content_hash: 'a'.repeat(64), page_sha256: '' },
    ...{ approved: { at: '', by: 'owner' }, manifest: {}, contract: { title: 'T', summary: 'S', ...contract } },
  });

// The file has the meta-schema of draft-07 too.
const isAsyncApi = new Ajv({
  strict: false,
  logger: false,
  validateFormats: false,
  meta: false,
  validateSchema: false,
}).compile(ASYNCAPI);

const openApi = new Validator();

/** What published validators find in the files of an export. Every `$ref` has to lead into the files. */
async function faultsOf(files: ReadonlyMap<string, unknown>): Promise<string[]> {
  const faults: string[] = [];
  const schemas = Array.from(files).filter(([name]) => name.startsWith('schemas/'));
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
  for (const [name, schema] of schemas)
    if (typeof schema === 'object' && !('$id' in Object(schema)))
      ajv.addSchema(schema ?? {}, name.replace('schemas/', ''));
  for (const [name] of schemas)
    try {
      ajv.getSchema(name.replace('schemas/', ''));
    } catch (error) {
      faults.push(`${name}: ${error}`);
    }
  for (const [name, document] of files) {
    const copy = JSON.parse(JSON.stringify(document));
    if (name.startsWith('openapi')) {
      const { valid, errors } = await openApi.validate(copy);
      if (!valid) faults.push(`${name}: ${JSON.stringify(errors)}`);
    }
    if (name.startsWith('asyncapi') && !isAsyncApi(copy)) faults.push(`${name}: ${JSON.stringify(isAsyncApi.errors)}`);
    faults.push(...lostIn(copy, copy, name.startsWith('schemas/') ? new Set(schemas.map(([one]) => one)) : new Set()));
  }
  return faults;
}

/** References that lead nowhere: neither into the document nor to another file. */
function lostIn(node: unknown, document: unknown, names: ReadonlySet<string>): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    if (name !== '$ref' || typeof value !== 'string') return lostIn(value, document, names);
    if (names.has(`schemas/${value}`)) return [];
    const found = value
      .slice(2)
      .split('/')
      .filter(Boolean)
      .reduce<unknown>((at, key) => Object(at)[key], document);
    return value.startsWith('#') && found !== undefined ? [] : [`lost: ${value}`];
  });
}

const http = (operation: object, more: object = {}) => ({
  ...{ id: 'if-1', name: 'One', kind: 'http', provider: 'agent_a', consumers: ['agent_b'], description: 'D' },
  operations: [{ name: 'POST /v1/things', ...operation }],
  ...more,
});

const operationOf = (operation: object, more: object = {}) => {
  const { files, left } = exported({ interfaces: [http(operation)], ...more });
  return { of: Object(files.get('openapi.agent_a.json')).paths?.['/v1/things']?.post, left };
};

describe('the export of a contract', () => {
  test.each([
    [
      'payment-capture',
      ['openapi.agent_b.json'],
      ['if-order-page: left out: an interface of the kind ui has no format to export to'],
    ],
    [
      'offline-sync',
      ['openapi.agent_b.json'],
      [
        'if-legacy-put, PUT /reports/:id: the member ETag of its response is left out: it is no status',
        'if-conflict-screen: left out: an interface of the kind ui has no format to export to',
      ],
    ],
    [
      'signed-webhooks',
      ['openapi.agent_a.json', 'openapi.agent_b.json'],
      [
        'if-hook, POST {receiver}/hooks/platform: {receiver} before the path is left out: it is no address',
        'if-signature: left out: an interface of the kind data has no format to export to',
        'if-keys-cli: left out: an interface of the kind cli has no format to export to',
      ],
    ],
  ])('of the mission %s is valid, and says what it leaves out', async (name, documents, leaves) => {
    const path = new URL(`../../../../missions/${name}/contract.json`, import.meta.url);
    const { files, left } = exported(JSON.parse(await readFile(path, 'utf8')));
    expect(await faultsOf(files)).toEqual([]);
    expect([...files.keys()].filter((file) => !file.startsWith('schemas/'))).toEqual(documents);
    expect(left).toEqual(leaves);
  });

  test('has each part of an operation as what it is, with where it comes from', async () => {
    const path = new URL('../../../../missions/payment-capture/contract.json', import.meta.url);
    const { files } = exported(JSON.parse(await readFile(path, 'utf8')));
    const document = Object(files.get('openapi.agent_b.json'));
    expect(document['x-parley']).toEqual({
      ...{ session: 's'.repeat(22), revision: 'r_1', content_hash: 'a'.repeat(64) },
      decisions: ['d_2', 'd_4', 'd_5'],
    });
    const { requestBody, parameters, responses, 'x-parley': back } = document.paths['/v1/entries'].post;
    expect({ requestBody, parameters, back }).toEqual({
      requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/dm-entry-request' } } } },
      parameters: [
        {
          ...{ name: 'Idempotency-Key', in: 'header', schema: {} },
          description: 'capture_id, a UUIDv7 in lower case; the same in every try of one capture',
        },
      ],
      back: { interface: 'if-book-entry' },
    });
    expect(Object.keys(responses)).toEqual(['200', '201', '400', '409', '422', '503']);
    expect(responses['422']).toEqual({
      description:
        'KEY_REUSED: The key is known with another amount_minor, currency or order_id; stored holds those three.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/dm-key-reused' } } },
      'x-parley': {
        errors: [
          {
            ...{ status: 422, code: 'KEY_REUSED', retry: false },
            meaning: 'The key is known with another amount_minor, currency or order_id; stored holds those three.',
            body: { $ref: '#/components/schemas/dm-key-reused' },
          },
        ],
      },
    });
    expect(files.get('schemas/dm-key-reused.json')).toMatchObject({
      ...{ $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Refusal of a reused key' },
      'x-parley': { revision: 'r_1', data_model: 'dm-key-reused' },
    });
  });

  test.each([
    ['a schema', { type: 'integer', minimum: 1 }, { schema: { type: 'integer', minimum: 1 } }],
    ['an example', { order_id: 'o-1', cents: 4990 }, { example: { order_id: 'o-1', cents: 4990 } }],
    ['an example that looks like a list of a schema', { items: [1] }, { example: { items: [1] } }],
    ['an example with a type of its own', { type: 'refund' }, { example: { type: 'refund' } }],
    [
      'a list of members',
      { id: 'a UUID', rows: { type: 'array' } },
      { schema: { type: 'object', properties: { id: { description: 'a UUID' }, rows: { type: 'array' } } } },
    ],
    ['the id of a data model', 'dm', { schema: { $ref: '#/components/schemas/dm' } }],
  ])('takes %s in a request as such', (_what, request, media) => {
    const { of } = operationOf({ request }, { data_models: [{ id: 'dm', name: 'M', json_schema: true }] });
    expect(of.requestBody).toEqual({ content: { 'application/json': media } });
  });

  test('takes sentences as descriptions, with the status that they begin with', () => {
    const { of, left } = operationOf({
      request: 'the whole report',
      response: '201 with the thing',
      errors: ['409 taken', 'never twice', { code: 'BUSY' }, { status: 409, code: 'HELD' }],
    });
    expect(of).toMatchObject({
      requestBody: { description: 'the whole report', content: { '*/*': {} } },
      responses: {
        201: { description: '201 with the thing' },
        409: { description: '409 taken\n\nHELD', 'x-parley': { errors: ['409 taken', { status: 409, code: 'HELD' }] } },
      },
      'x-parley': { interface: 'if-1', errors: ['never twice', { code: 'BUSY' }] },
    });
    expect(left).toEqual([
      'if-1, POST /v1/things: the error "never twice" has no status: it is in x-parley only',
      'if-1, POST /v1/things: the error "{\\"code\\":\\"BUSY\\"}" has no status: it is in x-parley only',
    ]);
    expect(operationOf({ response: 'the thing' }).of.responses).toEqual({ '2XX': { description: 'the thing' } });
  });

  test('has events as AsyncAPI 3, and the decisions that an operation cites', async () => {
    const event = (operations: object[]) => ({ ...http({}), id: 'if-events', kind: 'event', operations });
    const { files, left } = exported({
      decisions: ['d_1', 'd_12'],
      data_models: [{ id: 'dm', name: 'Paid', json_schema: { type: 'object' } }],
      interfaces: [
        event([
          { name: 'payment.captured', request: { $ref: 'dm' }, errors: ['retried by d_12'] },
          { name: 'payment.failed', request: { order_id: 'o-1' } },
          { name: 'payment.seen', response: 'at most once' },
          { name: 'payment.lost' },
        ]),
      ],
    });
    expect(await faultsOf(files)).toEqual([]);
    const document = Object(files.get('asyncapi.agent_a.json'));
    expect(await faultsOf(new Map([['asyncapi', { ...document, channels: [] }]]))).not.toEqual([]);
    expect(Object.values(document.channels)).toEqual([
      { address: 'payment.captured', messages: { event: { payload: { $ref: '#/components/schemas/dm' } } } },
      { address: 'payment.failed', messages: { event: { examples: [{ payload: { order_id: 'o-1' } }] } } },
      { address: 'payment.seen', messages: { event: { description: 'at most once' } } },
      { address: 'payment.lost', messages: { event: {} } },
    ]);
    expect(document.operations['if-events-1']).toMatchObject({
      ...{ action: 'send', channel: { $ref: '#/channels/if-events-1' } },
      'x-parley': { interface: 'if-events', decisions: ['d_12'], errors: ['retried by d_12'] },
    });
    expect(left).toEqual(['if-events, payment.lost: the contract does not describe the data of the event']);
  });

  test('leaves out what a tool could not read or would read elsewhere, and says so', async () => {
    const { files, left } = exported({
      data_models: [
        { id: 'bad', name: 'B', json_schema: { type: 'object', required: 'id' } },
        { id: 'old', name: 'O', json_schema: { $schema: 'http://json-schema.org/draft-04/schema#' } },
        {
          ...{ id: 'tree', name: 'T' },
          json_schema: {
            $defs: { leaf: { type: 'string' }, file: { $ref: 'file:///etc/passwd' } },
            items: { anyOf: [{ $ref: '#/$defs/leaf' }, { $ref: '#' }, { $ref: '#/$defs/none' }, { $ref: 'bad' }] },
            examples: [{ $ref: 'https://evil.example/x' }],
          },
        },
        { id: '../up', name: 'U', json_schema: true },
      ],
      interfaces: [
        http({
          request: { body: { a: 1 }, note: 'n', headers: { Authorization: 'Bearer' } },
          response: { $ref: 'tree' },
        }),
        http({ name: 'GET /v1/things', request: { a: 1 } }, { id: 'if-2' }),
        http({ name: 'post /v1/things' }, { id: 'if-3' }),
        http({ name: 'GET /a/:id/b' }, { id: 'if-4' }),
        http({ name: 'GET /a/<other>/b' }, { id: 'if-5' }),
        http({ name: 'Send it' }, { id: 'if-6' }),
        http({ name: 'GET /x/{id}/{id}' }, { id: 'if-7' }),
      ],
    });
    expect(await faultsOf(files)).toEqual([]);
    expect([...files.keys()]).toEqual(['schemas/tree.json', 'openapi.agent_a.json']);
    expect(left).toEqual([
      'bad: the data model is left out: /required must be array',
      'old: the data model is left out: its $schema names a dialect other than 2020-12, 2019-09 and draft-07',
      '../up: the data model is left out: its id is no id of a contract',
      'tree: the $ref "file:///etc/passwd" is left out: it leads to no data model',
      'tree: the $ref "#/$defs/none" is left out: it leads to no data model',
      'tree: the $ref "bad" is left out: it leads to no data model',
      'tree: the $ref "https://evil.example/x" is left out: it leads to no data model',
      'if-1, POST /v1/things: the member note of its request is left out',
      'if-1, POST /v1/things: the header Authorization is left out: OpenAPI knows no parameter of this name',
      'if-2, GET /v1/things: its request is left out: GET has no body',
      'if-3, post /v1/things: left out: another operation has this method and path, or this path with other variables',
      'if-5, GET /a/<other>/b: left out: another operation has this method and path, or this path with other variables',
      'if-6, Send it: left out: the name says no method and path, such as POST /v1/captures',
      'if-7, GET /x/{id}/{id}: left out: the name says no method and path, such as POST /v1/captures',
    ]);
  });

  test('is valid whatever an operation says', async () => {
    const free = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom('headers', 'query', 'body', '200', 'default', 'type', '$ref', 'status'),
        fc.jsonValue(),
      ),
    );
    const name = fc.oneof(
      fc.string(),
      fc.webPath().map((path) => `GET ${path}`),
      fc.constant('POST /a/:b?c=<d>'),
    );
    const operation = fc.record({ name, request: free, response: free, errors: fc.array(free) });
    await fc.assert(
      fc.asyncProperty(operation, async (one) => {
        const { files } = exported({ interfaces: [http(one), http(one, { id: 'if-2', kind: 'event' })] });
        expect(await faultsOf(files)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

test('parley contract export writes the files of a session or of a pulled file, and through no link', async () => {
  const { contract, ownerCommand, folders, sessionId } = await twoRepositories({ upTo: 'contract' });
  const to = join(await newFolder(), 'new', 'generated');
  expect(await contract('agent_a', 'export', '--to', to)).toMatchObject({
    code: EXIT.USAGE,
    err: expect.stringContaining('contract.json does not exist. Run parley contract pull, or name a session.'),
  });
  await contract('agent_a', 'pull');
  const { code, out } = await contract('agent_a', 'export', '--to', to);
  expect(code).toBe(EXIT.OK);
  expect(out.split('\n').slice(1)).toEqual([
    ...[
      'schemas/dm-entry-request.json',
      'schemas/dm-entry.json',
      'schemas/dm-key-reused.json',
      'openapi.agent_b.json',
    ].map((name) => `Wrote     ${join(to, name)}`),
    'Left out  if-order-page: left out: an interface of the kind ui has no format to export to',
  ]);
  const written = await readFile(join(to, 'openapi.agent_b.json'), 'utf8');
  expect(JSON.parse(written)['x-parley']).toMatchObject({ session: sessionId, revision: 'r_2' });
  const other = await newFolder();
  for (const source of [sessionId, join(folders.agent_a, '.parley/contract.json')]) {
    expect(await ownerCommand('contract', 'export', source, '--to', other)).toMatchObject({ code: EXIT.OK });
    expect(await readFile(join(other, 'openapi.agent_b.json'), 'utf8')).toBe(written);
  }
  const linked = await newFolder();
  const outside = join(await newFolder(), 'out');
  await mkdir(outside);
  await symlink(outside, join(linked, 'schemas'));
  expect(await contract('agent_a', 'export', '--to', linked)).toMatchObject({ code: EXIT.REFUSED });
  expect(existsSync(join(outside, 'dm-entry.json'))).toBe(false);
});
