/** Those of `names` that look like `name`, the nearest and then the shortest first; capitals do not count. */
export function nearest(name: string, names: readonly string[]): string[] {
  const alike = (other: string) => shared(other.toLowerCase(), name.toLowerCase())
  return names
    .filter((other) => alike(other) > name.length / 2)
    .toSorted((a, b) => alike(b) - alike(a) || a.length - b.length)
    .slice(0, 3)
}

/** How many pairs of neighbouring letters two names share. */
function shared(left: string, right: string): number {
  const pairs = (text: string) =>
    new Set(Array.from(text.slice(1), (letter, index) => `${text[index]}${letter}`))
  const other = pairs(right)
  return [...pairs(left)].filter((pair) => other.has(pair)).length
}
