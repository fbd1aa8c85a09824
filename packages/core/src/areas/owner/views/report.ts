import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { reportMarkdown } from '../../rendering/report/report.ts';
import { reportPage } from '../../rendering/report/report-page.ts';
import { sessionEvents } from '../../session/events.ts';
import type { SessionState } from '../../state.ts';
import { reportFacts, reportSeqs } from './report-facts.ts';
import { approvedHash } from './report-rollout.ts';

const FORMATS = ['md', 'html'] as const;

/** Reports about a session on one page, in any phase, for a reader who has not followed the session. */
export const report = defineOperation({
  name: 'report',
  summary:
    'Report on a session on one page: result, what is left, proof of each requirement, what owner and agents reported, head of the log.',
  access: { owner: true },
  input: z.strictObject({
    format: z
      .enum(FORMATS)
      .optional()
      .describe('md (the default) is Markdown; html is a complete page without scripts.'),
  }),
  output: z.strictObject({
    format: z.enum(FORMATS),
    filename: z.string(),
    text: z.string(),
  }),
  errors: [],

  reads: (state) => [
    ...reportSeqs(state),
    ...(state.profile.status === 'ENDED' ? [state.transcript.latest.owner.seen] : []),
  ],

  documents: approvedHash,

  reply(state, { format = 'md' }, { loaded, document }) {
    const ending = loaded.find(({ kind }) => kind === 'session.ended');
    const end = sessionEvents['session.ended'].data.safeParse(ending?.data).data;
    const ended = end && { ...end, by: ending?.person?.name };
    const markdown = reportMarkdown(reportFacts(state, { ended, loaded, document }));
    const text = format === 'md' ? markdown : reportPage(state.profile.title, markdown);
    return { format, filename: `${fileStem(state)}.${format}`, text };
  },
});

/** Maximum number of characters of the title in the name of the file. */
const MAX_TITLE_CHARS = 60;

/**
 * The name of the file without its ending, such as `parley-report-cursor-pagination-2026-11-27`: the letters and digits
 * of the title, and the day of the session's last change of status, in UTC.
 */
function fileStem({ profile, times }: SessionState): string {
  const words = profile.title.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const title = [...words.join('-')].slice(0, MAX_TITLE_CHARS).join('').replace(/-+$/, '');
  return ['parley-report', title, times.statusAt.slice(0, 10)].filter(Boolean).join('-');
}
