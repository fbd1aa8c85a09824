import type { TextLabels } from '../content.ts';
import { evidenceParts, headed, labelled, type Words } from '../event-words.ts';
import type { findingEvents, followupEvents, holdEvents } from './events.ts';
import type { FINDING_CONTENT, RESPONSE_CONTENT } from './state.ts';

export const findingTexts: TextLabels<typeof FINDING_CONTENT> = {
  text: 'text',
  resolution_criteria: 'resolution criteria',
};
export const responseTexts: TextLabels<typeof RESPONSE_CONTENT> = { response: 'response' };

export const findingWords: Words<typeof findingEvents> = {
  'finding.raised': ({ finding_id, kind, text, target, moderated, blocking, evidence }, { nameOf, say }) => {
    const targets = moderated?.target_agents ?? [];
    // A reviewer's finding has a kind; a moderator's finding has a category and a severity.
    const notes = [kind, moderated?.category, moderated?.severity, blocking && 'blocking'].filter(Boolean).join(', ');
    return {
      heading: `${say('raises', 'raise')} ${finding_id} (${notes})`,
      text,
      parts: [
        ...labelled('about', [target]),
        ...labelled('concerns', targets.length === 1 ? targets.map(nameOf) : []),
        ...labelled('resolved if', [moderated?.resolution_criteria]),
        ...evidenceParts(evidence),
      ],
    };
  },
  'finding.responded': ({ finding_id, decision, response, fixed_in }, { ids, say }) => {
    const verb = decision === 'ACCEPT' ? say('accepts', 'accept') : say('rejects', 'reject');
    const heading = `${verb} ${finding_id}${fixed_in ? `, fixed in ${fixed_in}` : ''}`;
    const finding = labelled('finding', [ids.words(finding_id)]);
    return finding.length === 0
      ? headed(heading, response)
      : { heading, parts: [...finding, ...labelled('answer', [response])] };
  },
  'finding.resolved': ({ finding_id, outcome, note }, { ids, say }) => ({
    ...headed(`${say('closes', 'close')} ${ids.named(finding_id)}`, note),
    outcome: `${finding_id} is ${outcome}`,
  }),
  'finding.overridden': ({ finding_id, reason }, { ids, say }) =>
    headed(`${say('overrides', 'override')} ${ids.named(finding_id)}`, reason),
};

export const holdWords: Words<typeof holdEvents> = {
  'hold.opened': ({ hold_id, finding_id, reason }, { say }) =>
    headed(`${say('puts', 'put')} hold ${hold_id} on ${finding_id}: approval and authorizations are stopped`, reason),
  'hold.released': ({ hold_id, finding_id, cause, reason }, { say }) =>
    cause === 'FINDING_CLOSED'
      ? { heading: '', outcome: `hold ${hold_id} is released, because ${finding_id} is closed` }
      : headed(`${say('releases', 'release')} hold ${hold_id} on ${finding_id}`, reason),
};

export const followupWords: Words<typeof followupEvents> = {
  'followup.noted': ({ followup_id, side, kind, text }, { nameOf, say }) =>
    headed(`${say('notes', 'note')} ${followup_id} for later (${kind}, of ${nameOf(side)})`, text),
};
