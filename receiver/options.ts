/**
 * Checks a numeric option once, at construction. NaN would pass every later comparison unnoticed: a limit that does
 * not limit, an end that never comes.
 * @throws TypeError that names the option and the mend.
 */
export function requireWhole(options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new TypeError(`${name}: must be a whole number above 0. Leave it out for the default.`)
    }
  }
}
