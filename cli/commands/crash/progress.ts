/** After so long without a line, the next thing that a run waits for is printed, in milliseconds. */
const SILENT_FOR_MS = 10_000

/**
 * Prints the steps of a run, and what it waits for where it would be silent otherwise.
 * @param now a clock in milliseconds
 */
export function crashProgress(print: (line: string) => void, now: () => number = () => performance.now()) {
  let printedAt = now()
  function step(line: string): void {
    printedAt = now()
    print(line)
  }
  return {
    step,
    waiting: (what: string): void => {
      if (now() - printedAt >= SILENT_FOR_MS) step(what)
    },
  }
}
