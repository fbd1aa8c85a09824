import { type Members, type Message, membersOf, numberIn, recordsIn, textIn, textsIn } from '../print/message.ts';

/** A moment on the way from the elected author to the build. */
export interface Moment {
  readonly heading: string;
  readonly text?: string;
  /** Values worth showing, each with its label. */
  readonly facts?: readonly (readonly [label: string, value: string])[];
  /** What this settled, on a line of its own. */
  readonly outcome?: string;
  /** Where it stands meanwhile, on a line of its own. */
  readonly note?: string;
}

/** The kind of message that the demo puts in between, to show how the list of blockers shrinks. */
export const BLOCKERS_COUNTED = 'blockers.counted';

const MOMENTS: Readonly<Record<string, (body: Members) => Moment>> = {
  'revision.created': (body) => ({
    heading: `saves ${textIn(body, 'revision_id')}${after(body)}`,
    text: textIn(body, 'reason'),
    facts: [
      ['content_hash', textIn(body, 'content_hash')],
      ['validation', `${counted(body, 'error_count', 'error')}, ${counted(body, 'warning_count', 'warning')}`],
    ],
  }),
  'preflight.submitted': (body) => ({
    heading: `maps every requirement to ${textIn(body, 'revision_id')}`,
    facts: recordsIn(body, 'mappings').map((mapping) => [
      textIn(mapping, 'requirement_id'),
      [...textsIn(mapping, 'decisions'), ...textsIn(mapping, 'tests')].join(', '),
    ]),
  }),
  'finding.raised': (body) => ({
    heading: `raises ${textIn(body, 'finding_id')} (${findingNotes(body)})`,
    text: textIn(body, 'text'),
    facts: [
      ...(textIn(body, 'target') ? [['about', textIn(body, 'target')] as const] : []),
      ...recordsIn(body, 'evidence').map((item) => ['evidence', textIn(item, 'reference')] as const),
    ],
  }),
  'finding.responded': (body) => ({
    heading: `${body.decision === 'ACCEPT' ? 'accepts' : 'rejects'} ${textIn(body, 'finding_id')}${fixedIn(body)}`,
    text: textIn(body, 'response'),
  }),
  'finding.resolved': (body) => ({
    heading: `closes ${textIn(body, 'finding_id')}`,
    outcome: `${textIn(body, 'finding_id')} is ${textIn(body, 'outcome')}`,
  }),
  'finding.overridden': (body) => ({
    heading: `overrides ${textIn(body, 'finding_id')}`,
    text: textIn(body, 'reason'),
  }),
  'review.submitted': (body) => ({
    heading: `reviews ${textIn(body, 'revision_id')}: ${textIn(body, 'verdict')}`,
    facts: [
      ['on exactly', textIn(body, 'content_hash')],
      ...textsIn(body, 'caveats').map((caveat) => ['caveat', caveat] as const),
    ],
  }),
  'changes.requested': (body) => ({
    heading: `sends ${textIn(body, 'revision_id')} back`,
    text: textIn(body, 'reason'),
  }),
  'contract.approved': approved,
  'receipt.confirmed': (body) => ({
    heading: `has ${textIn(body, 'filename')}  ${textIn(body, 'sha256').slice(0, 12)}…`,
  }),
  'readiness.submitted': (body) => ({
    heading: `reports ${textIn(body, 'verdict')} on ${textIn(body, 'manifest_id')}`,
  }),
  'build.authorized': (body) => ({
    heading: `authorizes the build of ${textIn(body, 'revision_id')}`,
    facts: [['of exactly', textIn(body, 'content_hash')]],
    outcome: 'Both agents are told to BEGIN_BUILD',
  }),
  [BLOCKERS_COUNTED]: (body) => blockersMoment(numberIn(body, 'count'), textIn(body, 'next')),
};

/** How a message of the contract's life reads; nothing for any other. */
export function momentOf({ kind, body }: Message): Moment | undefined {
  return Object.hasOwn(MOMENTS, kind) ? MOMENTS[kind]?.(body) : undefined;
}

function approved(body: Members): Moment {
  const manifest = membersOf(body.manifest);
  return {
    heading: `approves ${textIn(body, 'revision_id')}, these bytes and no others`,
    facts: [
      ['content_hash', textIn(body, 'content_hash')],
      ['manifest', `${textIn(manifest, 'manifest_id')}, frozen ${textIn(manifest, 'frozen_at')}`],
      ['its sha256', textIn(manifest, 'manifest_sha256')],
      ...recordsIn(manifest, 'artifacts').map(artifactFact),
    ],
  };
}

function artifactFact(artifact: Members): readonly [string, string] {
  const audience = textsIn(artifact, 'assigned_to').map((role) => (role === 'agent_a' ? 'A' : 'B'));
  const sum = textIn(artifact, 'sha256').slice(0, 12);
  return [`for ${audience.join(' and ')}`, `${sum}…  ${textIn(artifact, 'filename')}`];
}

const after = (body: Members): string => (textIn(body, 'parent_id') ? `, after ${textIn(body, 'parent_id')}` : '');

const fixedIn = (body: Members): string => (textIn(body, 'fixed_in') ? `, mended in ${textIn(body, 'fixed_in')}` : '');

const findingNotes = (body: Members): string => `${textIn(body, 'kind')}${body.blocking === true ? ', blocking' : ''}`;

function counted(body: Members, member: string, what: string): string {
  const count = numberIn(body, member);
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function blockersMoment(count: number, next: string): Moment {
  if (count === 0) return { heading: '', outcome: 'nothing blocks: the contract is certified' };
  const what = count === 1 ? '1 thing blocks' : `${count} things block`;
  return { heading: '', note: `${what} the contract, first ${next}` };
}
