/** The description of a flag whose member has no description in its schema, by the name of the member. */
export const PURPOSES: ReadonlyMap<string, string> = new Map([
  ['candidate', 'The agent that becomes the Contract Author.'],
  ['decision', 'Whether you accept the recommendation of the moderator.'],
  ['defect_id', 'Id of the defect, such as def_1.'],
  ['end_reason', 'Whether the work is completed or cancelled.'],
  ['finding_id', 'Id of the finding, such as f_3.'],
  ['format', 'Form of the contract in the answer.'],
  ['hold_id', 'Id of the hold, as `parley view SESSION` shows it.'],
  ['intervention_id', 'Id of the question or directive, as `parley view SESSION` shows it.'],
  ['priority', 'How urgent the question or directive is.'],
  ['question_id', 'Id of the question, such as q_7.'],
  ['recommendation_id', 'Id of the recommendation, such as rec_1.'],
  ['revision_id', 'Id of the revision, such as r_3.'],
  ['role', 'Role of the agent.'],
  ['scenario_id', 'Id of the scenario, which is the id of a test of the contract.'],
  ['target', 'The agent that gets the task.'],
  ['text', 'The text for the agents.'],
]);
