/** Measures each figure once: that shows that all can be measured, and its figures are rough. */
export const isQuick = process.argv.includes('--quick')

/** How often to measure a figure. @param usual the number without `--quick` */
export const roundsOf = (usual: number): number => (isQuick ? 1 : usual)
