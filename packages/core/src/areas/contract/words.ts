import type { BodyOf } from '../../kernel/log/event-catalog.ts';
import { plural } from '../../kernel/text/readable.ts';
import { hashPart, headed, labelled, type Part, type Words } from '../event-words.ts';
import type { contractEvents, preflightEvents } from './events.ts';

export const contractWords: Words<typeof contractEvents> = {
  'revision.created': (body, { say }) => ({
    heading: `${say('saves', 'save')} ${body.revision_id}${body.parent_id ? `, after ${body.parent_id}` : ''}`,
    text: body.reason,
    parts: [hashPart(body), ...validationParts(body)],
  }),
  'contract.validated': (body, { say }) => ({
    heading: `${say('validates', 'validate')} ${body.revision_id} again (${body.run_id})`,
    parts: [
      ...validationParts(body),
      ...labelled(
        'blocked by',
        (body.blockers ?? []).map(({ code, record, responsible }) => [code, record, responsible].join(', ')),
        'bad',
      ),
    ],
  }),
  'changes.requested': ({ revision_id, reason }, { say }) =>
    headed(`${say('requests', 'request')} changes to ${revision_id}`, reason),
};

type Validation = Pick<BodyOf<(typeof contractEvents)['revision.created']>, 'error_count' | 'warning_count' | 'issues'>;

const ERROR = { label: 'error', tone: 'bad' } as const;
const WARNING = { label: 'warning', tone: 'warn' } as const;

/** The result of a validation. Events of the log contain its issues; messages of the transcript do not. */
const validationParts = ({ error_count, warning_count, issues = [] }: Validation): Part[] => [
  { label: 'validation', text: `${plural(error_count, 'error')}, ${plural(warning_count, 'warning')}` },
  ...issues.map(({ severity, code, pointer, message }) => ({
    ...(severity === 'error' ? ERROR : WARNING),
    title: `${code} ${pointer}`.trim(),
    text: message,
  })),
];

export const preflightWords: Words<typeof preflightEvents> = {
  'preflight.submitted': ({ revision_id, mappings }, { say }) => ({
    heading: `${say('submits', 'submit')} the preflight of ${revision_id}`,
    parts: mappings.map(({ requirement_id, decisions, tasks, tests, gates, note }) => ({
      label: 'maps',
      title: requirement_id,
      text: `${[...decisions, ...tasks, ...tests, ...gates].join(', ')}${note ? `\n${note}` : ''}`,
    })),
  }),
};
