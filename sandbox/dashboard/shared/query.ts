/** The value of a query or form field if it is one of these, else undefined. */
export const choice = <Value extends string>(given: unknown, values: readonly Value[]): Value | undefined =>
  values.find((value) => value === given)

/** The text of a query field; undefined when it is empty, absent, or came more than once. */
export const text = (given: unknown): string | undefined =>
  typeof given === 'string' && given.trim() !== '' ? given.trim() : undefined
