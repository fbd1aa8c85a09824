import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { reportMarkdown } from '../../rendering/report/report.ts';
import { reportPage } from '../../rendering/report/report-page.ts';
import { sessionEvents } from '../../session/events.ts';
import { claimSeqs, reportFacts } from './report-facts.ts';

const FORMATS = ['md', 'html'] as const;

/** Reports about a session on one page, in any phase, for a reader who has not followed the session. */
export const report = defineOperation({
  name: 'report',
  summary:
    'Report on a session on one page: objective, result, proof of each requirement, decisions, defects, commits, head of the log.',
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
    ...claimSeqs(state),
    ...(state.profile.status === 'ENDED' ? [state.transcript.latest.owner.seen] : []),
  ],

  reply(state, { format = 'md' }, { loaded }) {
    const ending = loaded.find(({ kind }) => kind === 'session.ended');
    const ended = sessionEvents['session.ended'].data.safeParse(ending?.data).data;
    const markdown = reportMarkdown(reportFacts(state, { ended, loaded }));
    const text = format === 'md' ? markdown : reportPage(state.profile.title, markdown);
    return { format, filename: `parley-${state.sessionId}.${format}`, text };
  },
});
