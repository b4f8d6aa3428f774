/**
 * The actions of the workflow that `hookproof init` writes: each with the commit of a release, since a tag can be moved, and that
 * release. Dependabot updates both in the projects of users.
 */
const ACTIONS = {
  'actions/checkout': ['de0fac2e4500dabe0009e67214ff5f5447ce83dd', 'v6.0.2'],
  'actions/setup-go': ['4b73464bb391d4059bd26b0524d20df3927bd417', 'v6.3.0'],
  'actions/setup-java': ['b6effb05e454b25005698d916606bdc6ffcbf961', 'v5.7.0'],
  'actions/setup-node': ['53b83947a5a98c8d113130e565377fae1a50d02f', 'v6.3.0'],
  'actions/setup-python': ['ece7cb06caefa5fff74198d8649806c4678c61a1', 'v6.3.0'],
  'oven-sh/setup-bun': ['0c5077e51419868618aeaa5fe8019c62421857d6', 'v2.2.0'],
  'pnpm/action-setup': ['fe02b34f77f8bc703788d5817da081398fad5dd2', 'v4.0.0'],
  'ruby/setup-ruby': ['0dafeac902942906541bc140009cdbf32665b601', 'v1.315.0'],
  'shivammathur/setup-php': ['f3e473d116dcccaddc5834248c87452386958240', '2.37.2'],
} as const

/** A step of a workflow that uses an action, with its inputs, if any, as lines of YAML. */
export function uses(action: keyof typeof ACTIONS, ...inputs: string[]): string {
  const [commit, release] = ACTIONS[action]
  const step = `- uses: ${action}@${commit} # ${release}`
  return inputs.length === 0 ? step : [step, '  with:', ...inputs.map((input) => `    ${input}`)].join('\n')
}
