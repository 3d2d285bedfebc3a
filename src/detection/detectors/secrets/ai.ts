import type { Detector } from '../../detector.ts';
import { issuedToken } from '../../families/secrets/issued-token.ts';
import { labelledSecret, randomValue } from '../../families/secrets/labelled-secret.ts';
import { syntheticSecret } from '../../families/secrets/synthetic-secret.ts';

const OPENAI_MARK = ['T3Bl', 'bkFJ'].join('');

/** Services that host or train models. */
export const ai: readonly Detector[] = [
  issuedToken({
    id: 'ANTHROPIC_KEY',
    title: 'Anthropic API key',
    prefixes: ['sk-ant-api03-', 'sk-ant-admin01-', 'sk-ant-oat01-', 'sk-ant-ort01-', 'sk-ant-sid01-'],
    length: [80, 130],
    alphabet: 'azAZ09__--',
  }),
  issuedToken({
    id: 'CEREBRAS_KEY',
    title: 'Cerebras API key',
    prefixes: ['csk-'],
    length: 48,
    alphabet: 'az09',
  }),
  labelledSecret({
    id: 'COHERE_KEY',
    title: 'Cohere API key',
    services: ['cohere'],
    nouns: ['api key', 'token'],
    value: randomValue(40, 'azAZ09'),
  }),
  labelledSecret({
    id: 'DEEPSEEK_KEY',
    title: 'DeepSeek API key',
    services: ['deepseek'],
    value: { form: /^sk-[0-9a-f]{32}$/, letters: 16, sample: `sk-${syntheticSecret(32, '09af')}` },
  }),
  issuedToken({
    id: 'ELEVENLABS_KEY',
    title: 'ElevenLabs API key',
    prefixes: ['sk_'],
    length: 48,
    alphabet: '09af',
  }),
  issuedToken({
    id: 'FIREWORKS_KEY',
    title: 'Fireworks AI API key',
    prefixes: ['fw_'],
    length: [22, 24],
    alphabet: 'azAZ09',
  }),
  issuedToken({ id: 'GROQ_KEY', title: 'Groq API key', prefixes: ['gsk_'], length: 52, alphabet: 'azAZ09' }),
  issuedToken({
    id: 'HUGGING_FACE_TOKEN',
    title: 'Hugging Face token',
    prefixes: [{ text: 'hf_', length: [34, 37] }, 'api_org_'],
    length: 34,
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'LANGSMITH_KEY',
    title: 'LangSmith API key',
    prefixes: ['lsv2_pt_', 'lsv2_sk_'],
    length: 43,
    alphabet: '09af__',
    shape: /^[0-9a-f]{32}_[0-9a-f]{10}$/,
    sample: `${syntheticSecret(32, '09af')}_${syntheticSecret(10, '09af')}`,
  }),
  labelledSecret({
    id: 'MISTRAL_KEY',
    title: 'Mistral API key',
    services: ['mistral'],
    nouns: ['api key', 'token'],
    value: randomValue(32, 'azAZ09'),
  }),
  issuedToken({
    id: 'NVIDIA_KEY',
    title: 'NVIDIA API key',
    prefixes: ['nvapi-'],
    length: [60, 70],
    alphabet: 'azAZ09__--',
  }),
  // All of them contain “OpenAI” in base64.
  issuedToken({
    id: 'OPENAI_KEY',
    title: 'OpenAI API key',
    prefixes: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', { text: 'sk-', length: [48, 51], alphabet: 'azAZ09' }],
    length: [40, 200],
    alphabet: 'azAZ09__--',
    shape: /T3BlbkFJ/,
    sample: syntheticSecret(74, 'azAZ09__--') + OPENAI_MARK + syntheticSecret(74, 'azAZ09__--'),
    examples: {
      match: [`sk-${syntheticSecret(20, 'azAZ09')}${OPENAI_MARK}${syntheticSecret(20, 'azAZ09')}`],
      not: [`sk-${syntheticSecret(48, 'azAZ09')}`],
    },
  }),
  issuedToken({
    id: 'OPENROUTER_KEY',
    title: 'OpenRouter API key',
    prefixes: ['sk-or-v1-'],
    length: 64,
    alphabet: '09af',
  }),
  issuedToken({
    id: 'PERPLEXITY_KEY',
    title: 'Perplexity API key',
    prefixes: ['pplx-'],
    length: [48, 56],
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'PINECONE_KEY',
    title: 'Pinecone API key',
    prefixes: ['pcsk_'],
    length: [60, 80],
    alphabet: 'azAZ09__',
  }),
  issuedToken({
    id: 'REPLICATE_TOKEN',
    title: 'Replicate token',
    prefixes: ['r8_'],
    length: 37,
    alphabet: 'azAZ09',
  }),
  issuedToken({
    id: 'TAVILY_KEY',
    title: 'Tavily API key',
    prefixes: ['tvly-'],
    length: [30, 60],
    alphabet: 'azAZ09__--',
  }),
  issuedToken({
    id: 'TOGETHER_KEY',
    title: 'Together AI API key',
    prefixes: ['tgp_v1_'],
    length: 43,
    alphabet: 'azAZ09__--',
  }),
  labelledSecret({
    id: 'WANDB_KEY',
    title: 'Weights and Biases API key',
    services: ['wandb'],
    nouns: ['api key'],
    short: true,
    value: randomValue(40, '09af'),
  }),
  issuedToken({ id: 'XAI_KEY', title: 'xAI API key', prefixes: ['xai-'], length: 80, alphabet: 'azAZ09' }),
];
