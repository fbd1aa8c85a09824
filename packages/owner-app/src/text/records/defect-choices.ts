/** A defect that still stands, as the owner decides about it. */
interface StandingDefect {
  readonly status: string;
  readonly assignedTo: string;
}

/** What follows from each decision of the owner about a defect. */
export interface DefectChoices {
  readonly leave: string;
  readonly give: string;
  readonly waive: string;
}

/** The agent to which the owner can assign a defect instead of its assignee. */
export const otherAgent = (role: string): 'agent_a' | 'agent_b' => (role === 'agent_a' ? 'agent_b' : 'agent_a');

/**
 * What follows if the owner leaves a defect with its assignee, gives it to the other agent, or waives it. If the defect
 * is marked as fixed, the next run of its scenario decides, whoever is the assignee.
 */
export function defectChoices({ status, assignedTo }: StandingDefect, nameOf: (role: string) => string): DefectChoices {
  const [own, other] = [nameOf(assignedTo), nameOf(otherAgent(assignedTo))];
  const rerun = (name: string) => `The scenario runs again; if it fails, ${name} has to fix the defect.`;
  const isFixed = status === 'FIXED';
  return {
    leave: isFixed ? `It is marked as fixed. ${rerun(own)}` : `${own} has to fix it.`,
    give: isFixed ? `It stays marked as fixed. ${rerun(other)}` : `${other} has to fix it instead of ${own}.`,
    waive: 'Nobody has to fix it. The scenario can run again, and still has to pass.',
  };
}

/** What a fix costs. The cost is the same for both agents, because a new commit of either makes all passes stale. */
export const COST_OF_FIX =
  'A fix needs a new commit, of whichever agent. A new commit makes every pass so far stale, so that its scenario has to pass again, and cancels the authorizations of the deployment and the activation.';
