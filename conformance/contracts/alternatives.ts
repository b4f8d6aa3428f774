/** Values as alternatives: `400, 401 or 422`. */
export const either = (values: readonly (number | string)[]): string =>
  [values.slice(0, -1).join(', '), values.at(-1)].filter((part) => part !== '').join(' or ')
