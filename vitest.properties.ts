import fc from 'fast-check'

/**
 * The seed of every property: the same commit tests the same cases, so a run that passed passes again. The long profile
 * looks for new cases. `PROPERTY_SEED` repeats a failure that was reported with a seed, or is `random`.
 */
const seed = process.env['PROPERTY_SEED'] ?? (process.env['TEST_PROFILE'] === 'long' ? 'random' : '20261122')

if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })
