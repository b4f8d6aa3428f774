/** What `npm install` of a package installs, including the package. */
export interface Weight {
  readonly packages: number
  /** The sizes of the files, in units of 1024 × 1024 bytes. */
  readonly files: number
  /** What they take on disk, in the same unit: what `du -h` shows. */
  readonly disk: number
}

/** How far a number in README.md may be from the measured one, as a share: dependencies of dependencies change a little. */
const TOLERANCE = 0.1

const MARKER = /<!-- w:(\S+)\.(packages|files|disk) -->([\d.]*)<!-- \/w -->/g

/** Writes the weights into their markers, `<!-- w:hookproof.disk --><!-- /w -->`, with two significant digits. */
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
    return isClose
      ? []
      : [`${name}.${unit}: ${quoted || 'nothing'} instead of ${Number(value.toPrecision(3))}`]
  })
}

function weightIn(weights: ReadonlyMap<string, Weight>, name: string): Weight {
  const weight = weights.get(name)
  if (weight === undefined) throw new Error(`a marker names a package that is not weighed: ${name}`)
  return weight
}
