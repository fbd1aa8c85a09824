import type { JsonSchema } from '@parley/core';

type Members = Readonly<Record<string, unknown>>;

/** How a client sends the arguments that the model gave it. */
export interface Form {
  readonly client: string;
  /** Where the client's users reported it. */
  readonly report: string;
  readonly sends: (given: Members, schema: JsonSchema) => unknown;
}

const hasMembers = ({ properties = {} }: JsonSchema): boolean => Object.keys(properties).length > 0;

/** Members that the schema declares, that need not be sent, and that were not given. */
const unset = (given: Members, { properties = {}, required = [] }: JsonSchema): string[] =>
  Object.keys(properties).filter((name) => !required.includes(name) && !Object.hasOwn(given, name));

const filledWith =
  (value: unknown): Form['sends'] =>
  (given, schema) => ({ ...given, ...Object.fromEntries(unset(given, schema).map((name) => [name, value])) });

const isText = (value: unknown): boolean => typeof value === 'string';

/** The arguments of a tool call, as clients were seen to send them. */
export const FORMS: readonly Form[] = [
  {
    client: 'the MCP Client Tool node of n8n',
    report: 'n8n-io/n8n #21500, #21716',
    sends: (given) => ({ ...given, toolCallId: 'call_0BCIShth4lxZuYr4coSp4E5E' }),
  },
  {
    client: 'the MCP Client Tool node of n8n behind a chat trigger',
    report: 'n8n-io/n8n #22787',
    sends: (given) => ({
      ...given,
      sessionId: '6b2e10a85a66408d8b145a9fb58df835',
      action: 'sendMessage',
      chatInput: 'Post the first turn.',
      toolCallId: 'toolu_015kA1pdA84pTN4dfAkQ1XEg',
    }),
  },
  {
    client: 'Cursor, which sends an empty text for what is not set',
    report: 'cursor/cursor #3614',
    sends: (given, schema) => (hasMembers(schema) ? filledWith('')(given, schema) : { random_string: 'dummy' }),
  },
  { client: 'LangChain, which sends null for what is not set', report: 'grll/mcpadapt #38', sends: filledWith(null) },
  {
    client: 'HolmesGPT, which adds a context',
    report: 'HolmesGPT/holmesgpt #1214',
    sends: (given) => ({ ...given, _tool_context: { user: 'u' }, _meta: { progressToken: 0 } }),
  },
  {
    client: 'CrewAI, which adds a fingerprint',
    report: 'crewAIInc/crewAI #4796',
    sends: (given) => ({ ...given, security_context: { agent_fingerprint: { uuid_str: 'a' }, metadata: {} } }),
  },
  {
    client: 'Claude Code, which sends what is no text as JSON text',
    report: 'anthropics/claude-code #5504',
    sends: (given) =>
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, isText(value) ? value : JSON.stringify(value)]),
      ),
  },
];
