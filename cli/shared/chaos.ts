import { type Chaos, ChaosError, readChaos } from '../../sandbox/deliveries/chaos.ts'
import { UsageError } from './exit.ts'
import { oneLine } from './text.ts'

/**
 * Parses the values of `--chaos`, for example `duplicate=1` and `badSignature`.
 * @throws UsageError
 */
export function parseChaos(words: readonly string[] | undefined): Chaos | undefined {
  if (words === undefined) return undefined
  const faults = words.map((word): [string, number | boolean] => {
    const [name = '', value] = word.split('=')
    if (value === undefined) return [name, true]
    return [name, value === 'true' || value === 'false' ? value === 'true' : Number(value)]
  })
  const names = faults.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`--chaos ${oneLine(twice)} was given twice: give it once`)
  try {
    return readChaos(Object.fromEntries(faults))
  } catch (error) {
    if (error instanceof ChaosError)
      throw new UsageError(`--${error.message.replace(/\.$/, '').replace(': ', ' ')}`)
    throw error
  }
}
