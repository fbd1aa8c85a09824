/** The next step of a builder in words that follow "has to" in a sentence, by the tool that the step names. */
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
  verify_submit_evidence: 'give evidence of a run',
  verify_verify: 'judge a run',
  verify_submit_fix: 'mend a defect',
};

/**
 * The next step of a builder in words for the owner, who cannot call the tools of agents.
 * @param tool the tool that the step names; null if it names none
 */
export const dutyWords = (tool: string | null): string => WORDS[tool ?? ''] ?? 'take its next step';
