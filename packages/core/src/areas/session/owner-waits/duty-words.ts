/** A call that an agent has to make. */
export interface NamedCall {
  readonly tool?: string | null | undefined;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  /** Id of the defect that the agent must fix before the call. */
  readonly fixes?: string;
  /** Id of the directive that the agent has acknowledged and answers with the call. */
  readonly reports_on?: string;
}

/** The next step of an agent in words that follow "has to" in a sentence, by the tool that the step names. */
const WORDS: Readonly<Record<string, string>> = {
  ack_action: 'acknowledge a task',
  complete_action: 'complete a task',
  ack_intervention: 'acknowledge a directive',
  answer_intervention: 'answer a question or a directive',
  answer_question: 'answer a question',
  post_turn: 'post its turn',
  accept_decision: 'accept or reject a decision',
  elect_contract_author: 'nominate a Contract Author',
  submit_contract: 'submit a revision of the contract',
  patch_contract: 'correct the contract',
  submit_preflight: 'map the requirements to the contract',
  submit_final_review: 'review the latest revision',
  respond_finding: 'answer a finding',
  resolve_finding: 'close a finding that it raised',
  fetch_artifact: 'read its artifacts and confirm them',
  confirm_receipt: 'confirm its artifacts',
  list_artifacts: 'read its artifacts and confirm them',
  get_readiness_questions: 'answer the readiness questions',
  submit_readiness: 'answer the readiness questions',
  verify_handshake: 'declare the commit that runs on its side',
  verify_start_attempt: 'run a scenario',
  verify_submit_evidence: 'give evidence of an attempt',
  verify_verify: 'judge an attempt',
  verify_submit_fix: 'mark a defect fixed',
};

/** The words for a step on a known record: the words before its id, and the member of the input with the id. */
const WORDS_WITH_ID: Readonly<Record<string, readonly [words: string, member: string]>> = {
  ack_intervention: ['acknowledge directive', 'intervention_id'],
  answer_intervention: ['answer', 'intervention_id'],
  answer_question: ['answer question', 'question_id'],
  accept_decision: ['accept or reject', 'decision_id'],
  submit_final_review: ['review', 'revision_id'],
  submit_contract_review: ['review', 'revision_id'],
  respond_finding: ['answer finding', 'finding_id'],
  resolve_finding: ['close its finding', 'finding_id'],
  verify_start_attempt: ['run scenario', 'scenario_id'],
  verify_submit_evidence: ['give evidence of the attempt of scenario', 'scenario_id'],
  verify_verify: ['judge the attempt of scenario', 'scenario_id'],
};

/** The next step of an agent in words for the owner, who cannot call the tools of agents. */
export function dutyWords({ tool, payload = {}, fixes, reports_on }: NamedCall = {}): string {
  if (fixes !== undefined) return `fix ${fixes}, on a new commit`;
  if (reports_on !== undefined) return `say what it did about directive ${reports_on}`;
  const name = tool ?? '';
  if (name === 'verify_submit_fix' && typeof payload.defect_id === 'string') return `mark ${payload.defect_id} fixed`;
  if (payload.verdict === 'CARRY')
    return `carry over the stale pass of scenario ${payload.scenario_id}, or leave it to a rerun`;
  const [words = '', member = ''] = WORDS_WITH_ID[name] ?? [];
  const id = payload[member];
  return typeof id === 'string' && !id.startsWith('<') ? `${words} ${id}` : (WORDS[name] ?? 'take its next step');
}
