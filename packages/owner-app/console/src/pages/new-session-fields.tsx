import { visible } from '../../../src/text/visible.ts';
import { Choice, Field } from '../ui/controls/field.tsx';
import type { FormPart } from './new-session-form.ts';

const ROLES = [
  ['agent_a', 'Agent A', 'repository-a', 'service-a'],
  ['agent_b', 'Agent B', 'repository-b', 'service-b'],
] as const;

export function AgentFields({ form, change, errorAt }: FormPart) {
  return (
    <section class="card stack" aria-labelledby="agents-head">
      <h2 id="agents-head">Agents</h2>
      <div class="pair">
        {ROLES.map(([role, title, repository, service]) => {
          const agent = form.agents[role];
          const set = (part: Partial<typeof agent>): void =>
            change({ agents: { ...form.agents, [role]: { ...agent, ...part } } });
          const path = `agents.${role}`;
          return (
            <fieldset key={role} class="agent">
              <legend>{title}</legend>
              <Field
                label="Name"
                name={`${path}.name`}
                placeholder={title}
                value={agent.name}
                error={errorAt(`${path}.name`)}
                onInput={(name) => set({ name })}
              />
              <Field
                label="Repository"
                name={`${path}.repository`}
                placeholder={repository}
                value={agent.repository}
                error={errorAt(`${path}.repository`)}
                onInput={(value) => set({ repository: value })}
              />
              <Field
                label="Service"
                name={`${path}.service`}
                placeholder={service}
                value={agent.service}
                error={errorAt(`${path}.service`)}
                onInput={(value) => set({ service: value })}
              />
            </fieldset>
          );
        })}
      </div>
    </section>
  );
}

/** The fields for rounds, first turn, test data and the policy for credentials. */
export function TermFields({ form, change, errorAt }: FormPart) {
  return (
    <section class="card stack" aria-labelledby="terms-head">
      <h2 id="terms-head">Terms</h2>
      <div class="pair">
        <Field
          label="Rounds"
          hint="1 to 100; a round is one turn of each agent. You can add rounds later."
          name="round_limit"
          type="number"
          value={form.roundLimit}
          error={errorAt('round_limit')}
          onInput={(value) => change({ roundLimit: value.replace(/\D/g, '') })}
        />
        <Choice
          label="First turn"
          value={form.firstTurn}
          options={ROLES.map(([role, title]) => [role, visible(form.agents[role].name.trim()) || title] as const)}
          onChange={(firstTurn) => change({ firstTurn })}
        />
        <Field
          label="Fixture version"
          hint="The version of the test data that both sides use."
          name="fixture_version"
          value={form.fixtureVersion}
          error={errorAt('fixture_version')}
          onInput={(fixtureVersion) => change({ fixtureVersion })}
        />
        <Field
          label="Environment"
          hint="The environment in which the agents verify, such as a staging system; never production."
          name="environment"
          value={form.environment}
          error={errorAt('environment')}
          onInput={(environment) => change({ environment })}
        />
        <Choice
          label="When an agent posts a credential"
          value={form.secretPolicy}
          options={[
            ['refuse', 'Refuse it: nothing is stored'],
            ['warn', 'Store it, and warn the agent'],
          ]}
          onChange={(secretPolicy) => change({ secretPolicy })}
        />
        <Choice
          label="How many people must approve"
          hint="Applies to the contract, the deployment and the activation."
          value={form.requiredApprovals}
          options={[
            ['1', 'One person'],
            ['2', 'Two people, each with a key of their own'],
          ]}
          onChange={(requiredApprovals) => change({ requiredApprovals })}
        />
      </div>
    </section>
  );
}
