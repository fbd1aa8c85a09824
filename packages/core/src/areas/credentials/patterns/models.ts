import { type CredentialPattern, likelyToken, token } from '../pattern.ts';

/** Credentials of services that run language models. */
export const MODELS: readonly CredentialPattern[] = [
  token(
    'Anthropic key',
    ['sk-ant-api', 'sk-ant-admin', 'sk-ant-oat', 'sk-ant-ort', 'sk-ant-sid'],
    '\\d\\d-[A-Za-z0-9_-]{40,200}',
  ),
  token('OpenAI key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-service-'], '[A-Za-z0-9_-]{40,250}'),
  token('OpenAI key', 'sk-', '[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}'),
  token('OpenRouter key', 'sk-or-', 'v1-[0-9a-f]{64}'),
  token('Langfuse key', 'sk-lf-', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
  token('secret key', 'sk-', '[A-Za-z0-9]{32,100}'),
  likelyToken('secret key', 'sk-', '[A-Za-z0-9_-]{24,250}'),
  token('Hugging Face token', 'hf_', '[A-Za-z0-9]{30,60}'),
  token('Hugging Face token', 'api_org_', '[A-Za-z0-9]{34}'),
  token('Replicate token', 'r8_', '[A-Za-z0-9]{37}'),
  token('Groq key', 'gsk_', '[A-Za-z0-9]{40,80}'),
  token('xAI key', 'xai-', '[A-Za-z0-9]{60,100}'),
  token('Perplexity key', 'pplx-', '[A-Za-z0-9]{40,60}'),
  token('LangSmith key', ['lsv2_pt_', 'lsv2_sk_'], '[0-9a-f]{32}_[0-9a-f]{10}'),
  token('NVIDIA key', 'nvapi-', '[A-Za-z0-9_-]{50,100}'),
];
