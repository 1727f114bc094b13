/**
 * The number of inputs that a test generates: what the environment variable sets, else that of the profile that runs
 * (`TEST_PROFILE=long`, or the short one).
 */
export function generatedCount(variable: string, { short, long }: { short: number; long: number }): number {
  const set = process.env[variable]
  if (set !== undefined) return Number(set)
  return process.env['TEST_PROFILE'] === 'long' ? long : short
}
