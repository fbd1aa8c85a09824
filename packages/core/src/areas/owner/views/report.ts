import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { reportMarkdown } from '../../rendering/report/report.ts';
import { reportPage } from '../../rendering/report/report-page.ts';
import { sessionEvents } from '../../session/events.ts';
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
    return { format, filename: `parley-${state.sessionId}.${format}`, text };
  },
});
