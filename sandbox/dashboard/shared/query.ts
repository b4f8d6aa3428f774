/** The value of a query or form field if it is one of `values`; otherwise undefined. */
export const choice = <Value extends string>(given: unknown, values: readonly Value[]): Value | undefined =>
  values.find((value) => value === given)

/** The trimmed text of a query field; undefined if it is empty, absent or repeated. */
export const text = (given: unknown): string | undefined =>
  typeof given === 'string' && given.trim() !== '' ? given.trim() : undefined
