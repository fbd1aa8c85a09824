import type { OwnerInput } from '@parley/core/client';
import { CHOSEN_ID } from '@parley/core/text';

/** The kinds of specifications that a session can name as its source. */
export type SourceKind = NonNullable<OwnerInput<'createSession'>['source']>['kind'];

export interface DraftRequirement {
  readonly requirement_id: string;
  readonly text: string;
  readonly acceptance_criteria?: string[];
}

/** The members of a new session that a specification gives. A member that it does not give is absent. */
export interface Draft {
  readonly title?: string;
  readonly objective?: string;
  readonly guardrails?: readonly string[];
  readonly requirements?: readonly DraftRequirement[];
}

/** A requirement as it was found: the id only if the source gives one. */
export interface FoundRequirement {
  readonly id?: string | undefined;
  readonly text: string;
  readonly criteria: readonly string[];
}

/** The limit of createSession on the criteria of a requirement. */
const MAX_CRITERIA = 20;

/**
 * The requirements with their ids. An id of the source is kept if it is valid and no requirement before it has it; the
 * others get `req-1`, `req-2` and so on. A requirement with more criteria than a session takes becomes several with the
 * same text.
 */
export function numbered(found: readonly FoundRequirement[]): DraftRequirement[] {
  const taken = new Set<string>();
  const own = found.map(({ id }) => {
    const isKept = id !== undefined && CHOSEN_ID.test(id) && !taken.has(id);
    if (isKept) taken.add(id);
    return isKept ? id : undefined;
  });
  let count = 0;
  const next = (): string => {
    count += 1;
    const id = `req-${count}`;
    if (taken.has(id)) return next();
    taken.add(id);
    return id;
  };
  return found.flatMap(({ text, criteria }, index) =>
    chunksOf(criteria).map((chunk, part) => ({
      requirement_id: (part === 0 ? own[index] : undefined) ?? next(),
      text,
      ...(chunk.length > 0 ? { acceptance_criteria: chunk } : {}),
    })),
  );
}

function chunksOf(criteria: readonly string[]): string[][] {
  const chunks: string[][] = [criteria.slice(0, MAX_CRITERIA)];
  for (let from = MAX_CRITERIA; from < criteria.length; from += MAX_CRITERIA)
    chunks.push(criteria.slice(from, from + MAX_CRITERIA));
  return chunks;
}
