import { z } from 'zod';
import { documented } from '../kernel/operation/json-schema.ts';
import { canonicalJson } from '../kernel/text/hash.ts';
import { type Contract, OptionalSection } from './document/contract.ts';

/** What the owner can choose at the creation of a session. A session whose log names no profile is `full`. */
export const PROFILE_NAMES = ['full', 'light'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

export const ProfileNameView = z.enum(PROFILE_NAMES).register(documented, { id: 'ProfileName' });

/**
 * What stands in a contract for a section that its author leaves out. The `fixture_version` of the session stands in for
 * the empty one.
 */
export const LEFT_OUT_SECTIONS: Pick<Contract, OptionalSection> = {
  scope: { in: [], out: [] },
  data_models: [],
  gates: [],
  risks: [],
  safety_conditions: [],
  dependencies: [],
  rollout: { steps: [], rollback: 'Left out: the profile of this session asks for no rollout.' },
  fixture_version: '',
  artifacts: [],
};

/** How much a session asks of its agents and of its owner. Code asks these members, never for the name of a profile. */
export interface ProfileTerms {
  readonly maxRequirements: number;
  /** Sections that the author of a contract may leave out; {@link LEFT_OUT_SECTIONS} fills them in. */
  readonly optional: readonly OptionalSection[];
  /** Codes of the validation rules that do not apply. */
  readonly waived: readonly string[];
  /** Codes of the rules that get_contract_schema tells with a short schema. Undefined if it tells all, with the whole schema. */
  readonly shortSchemaRules?: readonly string[];
  /** Whether the build waits until both agents have confirmed their artifacts and reported their readiness. */
  readonly asksReadiness: boolean;
  /**
   * Further phases in which an agent may call these tools. A profile that does not wait for reports takes those that an
   * agent gives later, and stores them.
   */
  readonly alsoIn: Readonly<Record<string, readonly string[]>>;
  /** Whether agents are pointed to `submit_preflight` for a requirement that the contract does not name. */
  readonly asksPreflight: boolean;
  /** Whether agents are asked what they saw at the gates of a step. */
  readonly asksGateReports: boolean;
  /** Whether the owner may authorize the build with the approval of the contract. */
  readonly buildsWithApproval: boolean;
  /** Whether deployment, activation and end are one decision of the owner. */
  readonly releasesAtOnce: boolean;
  /**
   * Whether a handoff is for an agent that knows nothing else: it has the texts of the mission and of the decisions. If not,
   * it has only the part of its builder, and names by their ids what the builder has read.
   */
  readonly handoffStandsAlone: boolean;
}

export const PROFILES: Readonly<Record<ProfileName, ProfileTerms>> = {
  full: {
    maxRequirements: 200,
    optional: [],
    waived: [],
    asksReadiness: true,
    alsoIn: {},
    asksPreflight: true,
    asksGateReports: true,
    buildsWithApproval: false,
    releasesAtOnce: false,
    handoffStandsAlone: true,
  },
  light: {
    maxRequirements: 3,
    optional: OptionalSection.options,
    waived: ['GATE_MISSING', 'ROLLOUT_WITHOUT_STEPS', 'SINGLE_EXECUTOR'],
    // What neither the short schema nor its example shows.
    shortSchemaRules: [
      'DUPLICATE_ID',
      'ID_USED_BY_TWO_KINDS',
      'REQUIREMENT_NOT_COVERED',
      'REQUIREMENT_NOT_TESTED',
      'INTERFACE_WITHOUT_CONSUMER',
      'INTERFACE_WITHOUT_PROVIDER_TASK',
      'INTERFACE_WITHOUT_CONSUMER_TASK',
      'INTERFACE_SELF_CONSUMED',
      'INTERFACE_NOT_TESTED',
      'NO_SHARED_INTERFACE',
      'UNDECLARED_INTERFACE_USE',
      'INTERFACE_WITHOUT_OPERATIONS',
      'HTTP_OPERATION_WITHOUT_PATH',
      'HTTP_OPERATION_WITHOUT_RESPONSE',
      'HTTP_OPERATION_WITHOUT_ERRORS',
      'EVENT_WITHOUT_PAYLOAD',
      'BUILDER_WITHOUT_TASK',
      'TASK_WAITS_WITHOUT_INTERFACE',
      'TEST_RESPONSIBLE_OUTSIDE',
      'PLACEHOLDER_TEXT',
      'DECISION_REPEATED',
    ],
    asksReadiness: false,
    alsoIn: { confirm_receipt: ['VERIFY', 'RELEASE'], submit_readiness: ['VERIFY', 'RELEASE'] },
    asksPreflight: false,
    asksGateReports: false,
    buildsWithApproval: true,
    releasesAtOnce: true,
    handoffStandsAlone: false,
  },
};

/** The sections of a contract that its author left out, as far as the profile allows that. */
export const leftOutOf = (
  contract: Readonly<Record<string, unknown>>,
  { optional }: Pick<ProfileTerms, 'optional'>,
): readonly OptionalSection[] =>
  optional.filter((name) => canonicalJson(contract[name] ?? null) === canonicalJson(LEFT_OUT_SECTIONS[name]));

interface WithProfile {
  readonly profile: { readonly profile?: ProfileName | undefined };
}

export const profileOf = ({ profile }: WithProfile): ProfileName => profile.profile ?? 'full';

/** What the profile of a session asks for. */
export const termsOf = (state: WithProfile): ProfileTerms => PROFILES[profileOf(state)];
