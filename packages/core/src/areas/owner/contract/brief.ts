import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { BriefView, viewBrief } from '../../reading/brief.ts';
import { putAsideSeqs } from '../../reading/brief-contract.ts';
import { nextStage } from '../../reading/brief-missing.ts';
import { BriefStage } from '../../reading/brief-moderator.ts';
import { requestSeqs } from '../../reading/brief-requests.ts';
import { reportSeqs } from '../../reading/brief-verify.ts';
import { type Pair, pairOf } from '../../reading/pair.ts';
import { documentsOf, positionSeqs, precomputeChanges } from '../../reading/revision-changes.ts';
import type { SessionState } from '../../state.ts';

export const brief = defineOperation({
  name: 'brief',
  summary: 'Show what you should know before you approve the contract or authorize a stage.',
  access: { owner: true },
  input: z.strictObject({
    stage: BriefStage.optional().describe('Approval or a stage to authorize; by default the next step.'),
  }),
  output: BriefView,
  errors: [],

  documents(state, { stage = nextStage(state) }) {
    const pair = briefPair(state, stage);
    return pair ? documentsOf(state, pair) : [];
  },

  precompute(state, { stage = nextStage(state) }, _caller, document) {
    const pair = briefPair(state, stage);
    return pair ? precomputeChanges(state, pair, document) : [];
  },

  reads(state, { stage = nextStage(state) }) {
    const pair = briefPair(state, stage);
    const requests = stage === 'approval' ? requestSeqs(state, pair) : [];
    return [...requests, ...putAsideSeqs(state), ...reportSeqs(state), ...positionSeqs(state, pair)];
  },

  reply: (state, { stage = nextStage(state) }, { document, loaded }) =>
    viewBrief(state, stage, { pair: briefPair(state, stage), document, loaded }),
});

/**
 * The two revisions that the brief compares: the latest revision, and the revision that the owner last read. After the
 * approval, the brief of a later stage compares the latest revision with itself and so shows no changes.
 */
function briefPair(state: SessionState, stage: BriefStage): Pair | undefined {
  const pair = pairOf(state, {});
  return pair && stage !== 'approval' && state.manifest.current ? { ...pair, since: pair.revision } : pair;
}
