import type { z } from 'zod';
import { type Action, type ActionView, viewAction } from './schemas.ts';

type View = z.output<typeof ActionView>;

/** The id in the named member of `payload`. If the payload lacks this member, the id of the record in `about`. */
const recordOf = ({ payload = {}, about }: View, member: string): string => String(payload[member] ?? about?.id ?? '');

/** Texts for the owner, by type of action. They name no tool, because the owner cannot call the tools of agents. */
const WORDS: Partial<Readonly<Record<Action['type'], (action: View) => string>>> = {
  REVIEW_REVISION: (action) =>
    `Review ${recordOf(action, 'revision_id')}, and give a verdict on exactly this revision.`,
  CONFIRM_RECEIPTS: () => 'Read the artifacts of the manifest, and confirm each of them.',
  SUBMIT_READINESS: () => 'Answer the readiness questions, and report whether the build can begin.',
  CONFIRM_ANSWERS: () => 'Read the readiness answers of the other agent, and dispute or confirm them.',
  BEGIN_BUILD: () => 'The build is authorized: build, and complete the action of each finished task.',
  DECLARE_HANDSHAKE: () => 'When the service of this builder runs, declare the commit of the service.',
  REPORT_GATES: ({ text }) => text.replace(' (get_final_plan)', ''),
  ASSESS_RESPONSE: (action) =>
    `Read the response to finding ${recordOf(action, 'finding_id')}, and resolve the finding if the response is sufficient.`,
  CHECK_ANSWER: ({ text }) => text.replace(/ with \w+, then (?:call )?\w+\.$/, '.'),
  ADVISE_DEPLOYMENT: () =>
    'Advise you whether to deploy, and say what you should know before the deployment. You can authorize the deployment without this advice.',
};

export function viewOwnerAction(action: Action): View {
  const view = viewAction(action);
  return { ...view, text: WORDS[action.type]?.(view) ?? view.text };
}
