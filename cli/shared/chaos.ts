import { type Chaos, ChaosError, readChaos } from '../../sandbox/deliveries/index.ts'
import { UsageError } from './exit.ts'

/**
 * Reads the values of `--chaos`, such as `duplicate=1` and `badSignature`.
 * @throws UsageError
 */
export function chaosOf(words: readonly string[] | undefined): Chaos | undefined {
  if (words === undefined) return undefined
  const given = words.map((word): [string, number | boolean] => {
    const [name = '', value] = word.split('=')
    if (value === undefined) return [name, true]
    return [name, value === 'true' || value === 'false' ? value === 'true' : Number(value)]
  })
  try {
    return readChaos(Object.fromEntries(given))
  } catch (error) {
    if (error instanceof ChaosError)
      throw new UsageError(`--${error.message.replace(/\.$/, '').replace(': ', ' ')}`)
    throw error
  }
}

/** The same as it is typed, for people. */
export function chaosText(chaos: Chaos): string {
  return Object.entries(chaos)
    .map(([name, value]) => (value === true ? name : `${name}=${value}`))
    .join(', ')
}
