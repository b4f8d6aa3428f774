/** What `npm install` of a package installs, including the package. */
export interface Weight {
  readonly packages: number
  /** Millions of bytes on disk. */
  readonly megabytes: number
}

/** How far a number in README.md may be from the measured one, as a share: dependencies of dependencies change a little. */
const TOLERANCE = 0.1

const MARKER = /<!-- w:(\S+)\.(packages|megabytes) -->([\d.]*)<!-- \/w -->/g

/** Writes the weights into their markers, `<!-- w:hookproof.megabytes --><!-- /w -->`, with two significant digits. */
export function withWeights(text: string, weights: ReadonlyMap<string, Weight>): string {
  return text.replace(MARKER, (_, name: string, unit: keyof Weight) => {
    const value = weightIn(weights, name)[unit]
    return `<!-- w:${name}.${unit} -->${Number(value.toPrecision(2))}<!-- /w -->`
  })
}

/** The markers whose number is more than a tenth from the measured one, as text. */
export function outdatedWeights(text: string, weights: ReadonlyMap<string, Weight>): string[] {
  return [...text.matchAll(MARKER)].flatMap(([, name = '', unit, quoted = '']) => {
    const value = weightIn(weights, name)[unit as keyof Weight]
    const isClose = quoted !== '' && Math.abs(Number(quoted) - value) <= TOLERANCE * value
    return isClose ? [] : [`${name}: ${quoted || 'no'} ${unit} instead of ${Number(value.toPrecision(3))}`]
  })
}

function weightIn(weights: ReadonlyMap<string, Weight>, name: string): Weight {
  const weight = weights.get(name)
  if (weight === undefined) throw new Error(`a marker names a package that is not weighed: ${name}`)
  return weight
}
