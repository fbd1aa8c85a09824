import { plural } from '../../../kernel/counted.ts';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import type { Revision } from '../../contract/record.ts';
import { openCaveats } from '../../findings/rules.ts';
import { revisionsBetween } from '../../reading/pair.ts';
import { lastReadBefore } from '../../reading/rules.ts';
import type { SessionState } from '../../state.ts';

/**
 * What the owner should know before reading the latest revision, such as
 * `46 kB; 2 revisions since you read r_1; 1 open caveat`. The number of read sections is left out, because the state does
 * not contain the contract; the brief has this number.
 */
export function revisionFacts(state: SessionState, latest: Revision): string {
  const caveats = openCaveats(state.findings).length;
  return [sizeText(latest), ...readTexts(state, latest), ...(caveats > 0 ? [plural(caveats, 'open caveat')] : [])].join(
    '; ',
  );
}

const sizeText = ({ bytes }: Revision): string =>
  bytes < 1_000 ? plural(bytes, 'byte') : `${Math.round(bytes / 1_000)} kB`;

/** What the owner has read before the latest revision. Empty if the owner has read a section of the latest revision. */
function readTexts(state: SessionState, latest: Revision): string[] {
  if ((lookUp(state.reading, latest.revision_id)?.length ?? 0) > 0) return [];
  const since = lookUp(state.contract.revisions, lastReadBefore(state.reading, latest.revision_id) ?? '');
  if (!since) return ['you have read no section'];
  const { revision_id } = since;
  const verb = lookUp(state.reading, revision_id)?.length === 0 ? 'approved' : 'read';
  return [`${plural(revisionsBetween(state, since, latest).length, 'revision')} since you ${verb} ${revision_id}`];
}
