/** By field of readiness reports and verification, the places in which its text is read. */
export const VERIFY_PLACES: Readonly<Record<string, readonly string[]>> = {
  'submit_readiness answers[].answer': ['readiness.submitted.answers[].answer', 'readiness[].answers[].answer'],
  'submit_readiness blockers[]': ['readiness.submitted.blockers[]', 'readiness[].blockers[]'],
  'verify_handshake branch': ['handshake.declared.branch', 'handshakes.agent_a.branch', 'handshakes.agent_b.branch'],
  'verify_handshake capabilities[]': [
    'handshake.declared.capabilities[]',
    'handshakes.agent_a.capabilities[]',
    'handshakes.agent_b.capabilities[]',
  ],
  'verify_handshake fixture_version': ['handshake.declared.fixture_version', 'handshakes.agent_a.fixture_version'],
  'verify_handshake interfaces[]': [
    'handshake.declared.interfaces[]',
    'handshakes.agent_a.interfaces[]',
    'handshakes.agent_b.interfaces[]',
  ],
  'verify_handshake interfaces[].name': [
    'handshake.declared.interfaces[].name',
    'handshakes.agent_a.interfaces[].name',
    'handshakes.agent_b.interfaces[].name',
  ],
  'verify_handshake interfaces[].version': [
    'handshake.declared.interfaces[].version',
    'handshakes.agent_a.interfaces[].version',
    'handshakes.agent_b.interfaces[].version',
  ],
  'verify_handshake service': [
    'handshake.declared.service',
    'handshakes.agent_a.service',
    'handshakes.agent_b.service',
    'items[].payload.service',
    'next_actions[].payload.service',
  ],
  'verify_handshake version': [
    'handshake.declared.version',
    'handshakes.agent_a.version',
    'handshakes.agent_b.version',
  ],
  'verify_submit_evidence assertions[].actual': [
    'evidence.submitted.assertions[].actual',
    'scenarios[].attempts[].evidence[].assertions[].actual',
  ],
  'verify_submit_evidence assertions[].expected': [
    'evidence.submitted.assertions[].expected.*',
    'items[].payload.evidence[].assertions[].expected.*',
    'scenarios[].attempts[].evidence[].assertions[].expected.*',
  ],
  'verify_submit_evidence assertions[].name': [
    'evidence.submitted.assertions[].name',
    'items[].payload.evidence[].assertions[].name',
    'scenarios[].attempts[].evidence[].assertions[].name',
  ],
  'verify_submit_evidence claim': [
    'evidence.submitted.claim',
    'items[].payload.evidence[].claim',
    'scenarios[].attempts[].evidence[].claim',
  ],
  'verify_submit_evidence request_id': [
    'evidence.submitted.request_id',
    'evidence.submitted.request_id (agent_a)',
    'evidence.submitted.request_id (agent_b)',
    'items[].payload.request_id',
    'next_actions[].payload.request_id',
    'scenarios[].attempts[].evaluation.request_id',
    'scenarios[].attempts[].evidence[].request_id',
    'scenarios[].attempts[].evidence[].request_id (agent_a)',
    'scenarios[].attempts[].evidence[].request_id (agent_b)',
  ],
  'verify_submit_evidence summary': ['evidence.submitted.summary', 'scenarios[].attempts[].evidence[].summary'],
  'verify_submit_fix note': ['defect.fixed.note', 'defects[].fix.note'],
  'verify_verify deviations[]': [
    'board.md',
    'scenarios[].attempts[].verdict.deviations[]',
    'verdict.given.deviations[]',
  ],
  'verify_verify note': ['scenarios[].attempts[].verdict.note', 'verdict.given.note'],
};
