/** A step that uses an action, with its inputs, if any. */
export function uses(action: string, ...inputs: string[]): string {
  const step = `- uses: ${action}`
  return inputs.length === 0 ? step : [step, '  with:', ...inputs.map((input) => `    ${input}`)].join('\n')
}

/** A step that runs a command. */
export function run(command: string): string {
  return `- run: ${command}`
}
