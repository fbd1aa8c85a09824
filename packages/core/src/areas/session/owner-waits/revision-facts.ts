import { plural } from '../../../kernel/counted.ts';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import type { Revision } from '../../contract/state.ts';
import { openCaveats } from '../../findings/rules.ts';
import { lastReadBefore } from '../../reading/rules.ts';
import { ALL_COUNT } from '../../reading/sections.ts';
import { revisionsBetween } from '../../reading/steps.ts';
import type { SessionState } from '../../state.ts';

/**
 * What the owner should know before reading the latest revision, from the state alone, such as
 * `46 kB; 2 revisions since you read r_1; 1 open caveat`.
 */
export function revisionFacts(state: SessionState, latest: Revision): string {
  const caveats = openCaveats(state.findings).length;
  return [sizeText(latest), readText(state, latest), ...(caveats > 0 ? [plural(caveats, 'open caveat')] : [])].join(
    '; ',
  );
}

const sizeText = ({ bytes }: Revision): string =>
  bytes < 1_000 ? plural(bytes, 'byte') : `${Math.round(bytes / 1_000)} kB`;

function readText(state: SessionState, latest: Revision): string {
  const { length } = lookUp(state.reading, latest.revisionId) ?? [];
  // The console and the command line divide a contract into different numbers of sections, so no number is said.
  if (length !== undefined && length > 0)
    return length === ALL_COUNT ? 'you have read all sections' : 'you have read some sections';
  const since = lookUp(state.contract.revisions, lastReadBefore(state.reading, latest.revisionId) ?? '');
  if (!since) return 'you have read no section';
  return `${plural(revisionsBetween(state, since, latest).length, 'revision')} since you read ${since.revisionId}`;
}
