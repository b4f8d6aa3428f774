/** The middle value, or the upper of the two in the middle. @returns NaN without values */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** `12,345` */
export const formatCount = (count: number): string => count.toLocaleString('en-US')
