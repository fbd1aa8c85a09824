import { kinds } from './error-kind.ts';

/** Refusals because of the state of the session, in the order of its phases. */
export const STATE_REFUSALS = kinds({
  UNKNOWN_RECORD: {
    status: 404,
    hint: 'Use an id that a read of this session shows, such as list_decisions, list_findings, verify_board or read_session_state. Ids of records that you may not see are refused too.',
  },
  SESSION_NOT_ACTIVE: {
    status: 409,
    hint: 'Wait until the owner starts or resumes the session. Until then you can still read, answer and acknowledge.',
  },
  SESSION_ENDED: { status: 409, hint: 'Make no more writes: the session is over. Reading still works.' },
  WRONG_PHASE: {
    status: 409,
    hint: 'Call read_session_state: instruction names the call that you can make in this phase.',
  },
  INVALID_TRANSITION: {
    status: 409,
    hint: 'Read the status and the phase of the session with `view`: they determine which operations work now.',
  },
  NOT_YOUR_TURN: {
    status: 409,
    hint: 'Call wait_for_my_turn (over REST GET state with wait=25) until next_agent is you, then post the turn again.',
  },
  ROUND_LIMIT_REACHED: {
    status: 409,
    hint: 'No turn is left. Call accept_decision and elect_contract_author, which use no turn, or wait for the owner to add rounds.',
  },
  NO_TURN_YET: { status: 409, hint: 'Post a turn first: evidence is appended to your latest turn.' },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    hint: 'Send new content with a new idempotency key. Repeat a key only with its first payload.',
  },
  ALREADY_ANSWERED: {
    status: 409,
    hint: 'Your first answer is final. To add something, write it in your next turn, or ask a question with answer_question.',
  },
  INTERVENTION_CLOSED: {
    status: 409,
    hint: 'Send no answer: this intervention needs no further answer. status says how it ended.',
  },
  ACTION_CLOSED: {
    status: 409,
    hint: 'Make no further call on this action: it is closed. Your open actions are in pending_actions of read_session_state.',
  },
  NOT_PROPOSER: { status: 403, hint: 'Use reject_decision, because the other agent proposed this decision.' },
  OWN_PROPOSAL: { status: 403, hint: 'Use withdraw_decision, because you proposed this decision yourself.' },
  DECISION_CLOSED: {
    status: 409,
    hint: 'This decision was replaced or closed. Use current_decision_id instead; if it is null, send submit_decision with a new position on the topic.',
  },
  POSITION_CHANGED: {
    status: 409,
    showsHead: true,
    hint: 'Read current. Accept it with accept_decision, reject it with reject_decision, or send your position again with its decision_id as supersedes. If current is null, leave supersedes out.',
  },
  NOT_CONTRACT_AUTHOR: {
    status: 403,
    hint: 'Only the builder that contract_author names makes this call. If you are the Technical Reviewer, propose your change with submit_finding.',
  },
  STALE_PARENT: {
    status: 409,
    hint: 'Another revision was submitted before your call. Read the latest one with get_final_plan, apply your change to it, and send its revision_id as expected_parent_id.',
  },
  STALE_REVISION: {
    status: 409,
    hint: 'A newer revision was submitted before your call. Read that revision, then send its revision_id and content_hash.',
  },
  HASH_MISMATCH: {
    status: 409,
    hint: 'Read the revision again and send the content_hash of the answer: a verdict or an approval is valid for exactly one content.',
  },
  PATCH_FAILED: {
    status: 422,
    hint: 'Correct the operation whose number is op_index and send the whole patch again; none of it was applied.',
  },
  PREFLIGHT_INVALID: {
    status: 422,
    hint: 'Correct the mappings that `issues` names, then send the call again: none of its mappings was stored.',
  },
  NOT_TECHNICAL_REVIEWER: {
    status: 403,
    hint: 'Only the Technical Reviewer raises findings on the contract. If you are the Contract Author, correct the contract with patch_contract. To dispute a defect that is assigned to you, send its id as target.',
  },
  NOT_RAISER: {
    status: 403,
    hint: 'Only the agent that raised this finding closes it. If the finding names you or you are the Contract Author, answer it with respond_finding.',
  },
  FINDING_CLOSED: { status: 409, hint: 'Make no further call on this finding. status says how it was closed.' },
  HOLD_ACTIVE: {
    status: 409,
    hint: 'Wait until every hold in hold_ids is released. The moderator or the owner can release a hold; resolving its finding releases it too.',
  },
  HOLD_CLOSED: { status: 409, hint: 'Make no further call on this hold: it is released already.' },
  NOT_CERTIFIED: {
    status: 409,
    hint: 'Wait until the list in blockers is empty: each entry names who must act and by which call.',
  },
  NOT_READY: {
    status: 409,
    hint: "Wait until both builders have reported READY_TO_CODE on the frozen manifest and confirmed each other's answers.",
  },
  NO_MANIFEST: {
    status: 409,
    hint: 'Wait until the owner approves a contract: the approval freezes the manifest that this call needs.',
  },
  ARTIFACT_NOT_ASSIGNED: {
    status: 403,
    hint: "Fetch only the artifacts that list_artifacts shows you. You may not read the other agent's handoff.",
  },
  CHECKSUM_MISMATCH: {
    status: 409,
    hint: 'The sha256 that you sent is not that of the stored file. Fetch the artifact again with fetch_artifact and send the SHA-256 of exactly its content.',
  },
  RECEIPTS_MISSING: {
    status: 409,
    hint: 'Call fetch_artifact for each artifact in filenames that you have not read, and confirm_receipt for all of them. Then report again.',
  },
  MANIFEST_MISMATCH: {
    status: 409,
    hint: 'Send the values of the frozen manifest that list_artifacts shows, because a report counts for one manifest only.',
  },
  READINESS_ANSWERS_WRONG: {
    status: 409,
    hint: 'Read your handoff again, correct your answers to the questions in question_ids, and report again.',
  },
  PRODUCTION_REFUSED: {
    status: 422,
    hint: 'Run your service in an environment that is not production, such as staging, and declare that environment with verify_handshake.',
  },
  HANDSHAKE_INCOMPLETE: {
    status: 409,
    hint: 'Wait until each agent that missing names has declared its commit with verify_handshake; if it names you, make that call.',
  },
  HANDSHAKE_NOT_READY: {
    status: 409,
    hint: 'Wait until each agent that not_ready names has declared with verify_handshake that it is ready and healthy; if it names you, make that call.',
  },
  FIXTURE_MISMATCH: {
    status: 409,
    hint: 'Use the test data of the fixture_version in the manifest, and declare this fixture_version with verify_handshake.',
  },
  DEPENDENCY_NOT_PASSED: {
    status: 409,
    hint: 'Wait until the scenarios in waits_for have passed: your scenario depends on them. verify_next lists the calls that you can make now.',
  },
  NOT_ASSIGNED: {
    status: 403,
    hint: 'Only the executor of a scenario starts it. Call verify_next: it lists the scenarios that you can start.',
  },
  ATTEMPT_CLOSED: {
    status: 409,
    hint: 'This attempt takes no more evidence and no verdict. Call verify_next: it lists a new attempt if one is needed.',
  },
  SELF_VERIFICATION: { status: 403, hint: 'Wait for the other agent: it judges the attempts that you started.' },
  EVIDENCE_POLICY_UNMET: {
    status: 409,
    hint: 'If the scenario failed, send FAIL. Else submit what missing lists; if failing has entries, run the scenario again and submit its evidence. Then send PASS.',
  },
  DEFECT_OPEN: {
    status: 409,
    hint: 'The agent to which the defect is assigned must fix it first: it declares a new commit with verify_handshake, then calls verify_submit_fix.',
  },
  DEFECT_CLOSED: {
    status: 409,
    hint: 'Make no further call on this defect: it is closed. verify_board lists the open defects.',
  },
  NOT_ASSIGNEE: {
    status: 403,
    hint: 'Only the agent to which a defect is assigned marks it fixed. The owner can assign the defect to the other agent.',
  },
  NEW_COMMIT_REQUIRED: {
    status: 409,
    hint: 'With verify_handshake, declare the commit that fixes the defect. Then send the call again.',
  },
  CERTIFICATION_INCOMPLETE: {
    status: 409,
    hint: 'Wait until ok is true for every entry of checks; the detail of an entry says what is missing.',
  },
  GROUNDS_CHANGED: {
    status: 409,
    hint: 'Nothing was decided. Look again at what changed, then decide anew; a program sends `head.seq` as seen. If it keeps changing, pause the session first.',
  },
  CREDENTIAL_REJECTED: {
    status: 422,
    hint: 'Replace the credential in the fields named in issues by [secret] and send the call again. If the credential was real, have it revoked.',
  },
  LIMIT_EXCEEDED: {
    status: 409,
    hint: 'Change the call so that it stays within the limit that the message names.',
  },
  QUOTA_EXHAUSTED: {
    status: 409,
    hint: 'Make no more writes until the owner has raised this quota; the owner is informed. Reading still works.',
  },
  CONFLICT: {
    status: 409,
    hint: 'Send the same call again: nothing of this call was stored.',
  },
});
