import { z } from 'zod';
import type { Json } from './transport.ts';

const Reference = z.strictObject({ $: z.enum(['latest.revision_id', 'latest.content_hash', 'head.seq']) });
const Plan = z.object({
  revision_id: z.string(),
  content_hash: z.string(),
  head: z.object({ seq: z.int() }).optional(),
});

/**
 * Replaces references in an input. `latest.content_hash`, written as `{"$": "latest.content_hash"}`, becomes the hash
 * of the latest revision, and `latest.revision_id` becomes its id. For the owner, `head.seq` becomes the number of the
 * latest event, which a decision sends as `seen`.
 *
 * @param readPlan reads the latest revision; called once, and only if the input contains a reference
 */
export async function resolveReferences(input: Json, readPlan: () => Promise<Json>): Promise<Json> {
  const references = Object.entries(input).flatMap(([member, value]) => {
    const name = Reference.safeParse(value).data?.$;
    return name ? [{ member, name }] : [];
  });
  if (references.length === 0) return input;
  const { revision_id, content_hash, head } = Plan.parse(await readPlan());
  const values = { 'latest.revision_id': revision_id, 'latest.content_hash': content_hash, 'head.seq': head?.seq };
  return { ...input, ...Object.fromEntries(references.map(({ member, name }) => [member, values[name]])) };
}
