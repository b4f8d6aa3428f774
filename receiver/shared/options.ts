/**
 * Checks numeric options once, at construction. With NaN every later comparison would be false, so that a limit would
 * never apply.
 * @throws TypeError that names the option and the fix.
 */
export function requirePositiveIntegers(options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new TypeError(`${name}: must be an integer of at least 1. Omit it for the default.`)
    }
  }
}
