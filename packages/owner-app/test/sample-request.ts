import type { OwnerRoute } from '@parley/core';
import { ownerApiDocument } from '../src/server/reference/open-api.ts';
import type { Heard } from './ask.ts';

type Json = Heard['json'];
const document: Json = ownerApiDocument({ version: '1.2.3' });

/** Values of members that have a form of their own. */
const SAMPLES: Json = { repository: 'acme/shop', workflow: 'ci.yml', ref: 'refs/heads/main' };

/** Returns a valid value of a schema, with the required members only. */
function sampleOf(schema: Json): unknown {
  if (schema.$ref) return sampleOf(document.components.schemas[schema.$ref.split('/').at(-1)]);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (first) return sampleOf(first);
  if (schema.type === 'object' || schema.properties)
    return Object.fromEntries(
      (schema.required ?? []).map((member: string) => [member, SAMPLES[member] ?? sampleOf(schema.properties[member])]),
    );
  if (schema.type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items));
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  const [, prefix] = /^\^([a-z]+_)\[1-9\]/.exec(schema.pattern ?? '') ?? [];
  return prefix ? `${prefix}1` : 'x'.repeat(Math.max(1, schema.minLength ?? 1));
}

/** A valid body of a POST to a path of the owner's API, such as `/sessions`. */
export function sampleBody(path: string): unknown {
  const schema = document.paths[`/owner/api${path}`]?.post.requestBody?.content['application/json'].schema;
  return schema ? sampleOf(schema) : {};
}

/** A valid request of a route, for a session. */
export function sampleRequest({ method, path }: OwnerRoute, session: string) {
  const query = new URLSearchParams();
  for (const { name, in: place, required, schema } of document.paths[`/owner/api${path}`][method.toLowerCase()]
    .parameters ?? [])
    if (place === 'query' && required) query.set(name, String(sampleOf(schema)));
  const address = `/owner/api${path.replace('{session_id}', session)}?${query}`;
  return { path: address, method, ...(method === 'POST' ? { body: sampleBody(path) } : {}) };
}
