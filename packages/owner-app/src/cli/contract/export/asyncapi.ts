import { isRecord } from '@parley/core/json';
import type { Json } from '../../../text/read-as.ts';
import {
  backReference,
  citedIn,
  componentPath,
  componentSchemas,
  type Interface,
  type Operation,
  type Part,
  partOf,
  referencesOf,
  type Source,
  withoutReferences,
  withReferences,
} from './source.ts';

/** The event interfaces that one side provides, as AsyncAPI 3. The side sends each event. Undefined if there are none. */
export function asyncApi(source: Source, provider: string): Json | undefined {
  const interfaces = source.interfaces.filter((one) => one.kind === 'event' && one.provider === provider);
  const channels: Record<string, Json> = {};
  const operations: Record<string, Json> = {};
  for (const one of interfaces)
    for (const [index, operation] of one.operations.entries()) {
      const id = one.operations.length === 1 ? one.id : `${one.id}-${index + 1}`;
      channels[id] = channelOf(source, one, operation);
      operations[id] = operationOf(source, one, operation, id);
    }
  if (Object.keys(channels).length === 0) return undefined;
  const { title, summary, decisions } = source;
  return {
    asyncapi: '3.0.0',
    info: {
      ...{ title: `${title} (${provider})`, version: source.file.revision_id, description: summary },
      tags: interfaces.map(({ id, name, description }) => ({ name: id, description: `${name}\n\n${description}` })),
    },
    channels,
    operations,
    components: { schemas: componentSchemas(source) },
    'x-parley': { ...backReference(source), decisions },
  };
}

/** The channel of an event. Its address is the name of the operation, the data of the event is its request, else its response. */
function channelOf(source: Source, { id }: Interface, { name, request, response }: Operation): Json {
  const of = `${id}, ${name}`;
  const part = partOf(request ?? response, source.ids);
  if (part === undefined) source.leave(`${of}: the contract does not describe the data of the event`);
  if (request !== undefined && request !== null && response !== undefined && response !== null)
    source.leave(`${of}: its response is left out: the data of the event is its request`);
  return { address: name, messages: { event: messageOf(source, of, part) } };
}

function messageOf(source: Source, of: string, part: Part | undefined): Json {
  if (part === undefined) return {};
  if (part.kind === 'text') return { description: part.text };
  const references = referencesOf(source, { of, model: componentPath });
  if (part.kind === 'schema') return { payload: withReferences(part.schema, references) };
  if (isRecord(part.example)) return { examples: [{ payload: withoutReferences(part.example, references.lost) }] };
  source.leave(`${of}: its example is left out: AsyncAPI takes an object`);
  return {};
}

function operationOf(source: Source, one: Interface, operation: Operation, id: string): Json {
  const cited = citedIn([one.description, operation], source.decisions);
  const errors = Array.isArray(operation.errors) ? operation.errors : [];
  return {
    action: 'send',
    channel: { $ref: `#/channels/${id}` },
    summary: operation.name,
    tags: [{ name: one.id }],
    'x-parley': {
      interface: one.id,
      ...(cited.length > 0 && { decisions: cited }),
      ...(errors.length > 0 && { errors: withoutReferences(errors, () => {}) }),
    },
  };
}
