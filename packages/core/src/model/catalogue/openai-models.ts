import { type KnownModel, prices, UNKNOWN_PRICES } from './known-model.ts'

const GPT_5_0 = ['minimal', 'low', 'medium', 'high']
const GPT_5_1 = ['none', 'low', 'medium', 'high']
const GPT_5_2 = [...GPT_5_1, 'xhigh']
const GPT_5_6 = [...GPT_5_2, 'max']
const ALWAYS = ['low', 'medium', 'high', 'xhigh', 'max']
const O_SERIES = ['low', 'medium', 'high']

type Row = [
  id: string,
  label: string,
  context: number | null,
  output: number | null,
  KnownModel['prices'],
  string[] | null,
]

/**
 * Ids and efforts as in the installed `@ai-sdk/openai`; windows and prices as OpenAI's model pages state them in
 * November 2026.
 */
const ROWS: Row[] = [
  ['gpt-6.1-sol', 'GPT-6.1 Sol', 1_050_000, 128_000, prices(2, 10, 0.1, null), ALWAYS],
  ['gpt-6.1-terra', 'GPT-6.1 Terra', 1_050_000, 128_000, prices(1, 5, 0.05, null), GPT_5_6],
  ['gpt-6-luna', 'GPT-6 Luna', 1_050_000, 128_000, prices(0.1, 0.5, 0.01, 0.125), GPT_5_6],
  ['gpt-6-astra', 'GPT-6 Astra', 1_050_000, 128_000, prices(10, 50, 1, 12.5), ALWAYS],
  ['gpt-6-sol', 'GPT-6 Sol', 1_050_000, 128_000, prices(2, 10, 0.2, 2.5), GPT_5_6],
  ['gpt-5.6-sol', 'GPT-5.6 Sol', 1_050_000, 128_000, prices(4, 20, null, null), GPT_5_6],
  ['gpt-5.6-terra', 'GPT-5.6 Terra', 1_050_000, 128_000, prices(2, 12, 0.2, null), GPT_5_6],
  ['gpt-5.6-luna', 'GPT-5.6 Luna', 1_050_000, 128_000, prices(0.2, 1.2, 0.02, null), GPT_5_6],
  ['gpt-5.5', 'GPT-5.5', null, null, UNKNOWN_PRICES, GPT_5_2],
  ['gpt-5.4', 'GPT-5.4', 1_050_000, 128_000, prices(2.5, 15, null, null), GPT_5_2],
  ['gpt-5.4-mini', 'GPT-5.4 mini', null, null, UNKNOWN_PRICES, GPT_5_2],
  ['gpt-5.2', 'GPT-5.2', 400_000, 128_000, prices(1.75, 14, 0.175, null), GPT_5_2],
  ['gpt-5.1', 'GPT-5.1', 400_000, 128_000, prices(1.25, 10, 0.125, null), GPT_5_1],
  ['gpt-5', 'GPT-5', 400_000, 128_000, prices(1.25, 10, 0.125, null), GPT_5_0],
  ['gpt-5-mini', 'GPT-5 mini', 400_000, 128_000, prices(0.25, 2, 0.025, null), GPT_5_0],
  ['gpt-5-nano', 'GPT-5 nano', 400_000, 128_000, prices(0.05, 0.4, 0.005, null), GPT_5_0],
  ['gpt-4.1', 'GPT-4.1', 1_047_576, 32_768, prices(2, 8, 0.5, null), null],
  ['gpt-4.1-mini', 'GPT-4.1 mini', 1_047_576, 32_768, prices(0.4, 1.6, 0.1, null), null],
  ['gpt-4o', 'GPT-4o', 128_000, 16_384, prices(2.5, 10, 1.25, null), null],
  ['gpt-4o-mini', 'GPT-4o mini', 128_000, 16_384, prices(0.15, 0.6, 0.075, null), null],
  ['o3', 'o3', 200_000, 100_000, prices(2, 8, 0.5, null), O_SERIES],
  ['o4-mini', 'o4-mini', 200_000, 100_000, prices(1.1, 4.4, 0.275, null), O_SERIES],
]

export const OPENAI_MODELS: readonly KnownModel[] = ROWS.map(
  ([modelId, label, contextLimit, maxOutput, price, levels]) => ({
    modelId,
    label,
    contextLimit,
    maxOutput,
    prices: price,
    inputs: ['text', 'image', 'pdf'],
    tools: true,
    thinking: levels === null ? null : { style: 'effort', levels },
    cheap: modelId === 'gpt-6-luna',
  }),
)
