import type { Json } from '../../../text/read-as.ts';
import { httpCall, pathForm } from './http-call.ts';
import { operationOf } from './openapi-operation.ts';
import { backReference, componentSchemas, type Source } from './source.ts';

/** The HTTP interfaces that one side provides, as OpenAPI 3.1. Undefined if there are none. */
export function openApi(source: Source, provider: string): Json | undefined {
  const interfaces = source.interfaces.filter((one) => one.kind === 'http' && one.provider === provider);
  const paths: Record<string, Record<string, unknown>> = {};
  const forms = new Map<string, string>();
  for (const one of interfaces)
    for (const [index, operation] of one.operations.entries()) {
      const of = `${one.id}, ${operation.name}`;
      const call = httpCall(operation);
      if (!call) {
        source.leave(`${of}: left out: the name says no method and path, such as POST /v1/captures`);
        continue;
      }
      const path = forms.get(pathForm(call.path)) ?? call.path;
      const known = paths[path]?.[call.method];
      if (path !== call.path || known !== undefined) {
        source.leave(`${of}: left out: another operation has this method and path, or this path with other variables`);
        continue;
      }
      forms.set(pathForm(path), path);
      const id = one.operations.length === 1 ? one.id : `${one.id}-${index + 1}`;
      paths[path] = { ...paths[path], [call.method]: operationOf(source, { one, operation, call, id, of }) };
    }
  if (Object.keys(paths).length === 0) return undefined;
  const { title, summary, decisions } = source;
  return {
    openapi: '3.1.0',
    info: { title: `${title} (${provider})`, version: source.file.revision_id, description: summary },
    tags: interfaces.map(({ id, name, description }) => ({ name: id, description: `${name}\n\n${description}` })),
    paths,
    components: { schemas: componentSchemas(source) },
    'x-parley': { ...backReference(source), decisions },
  };
}
