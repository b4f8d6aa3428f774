import type { Behaviour } from '../mutants/behaviour.ts'

/** What would run, load something or end an element early, were it not text. */
export const MARKUP =
  '</pre></details></script><script>document.title="taken"</script><img src="http://127.0.0.1:9/x" onerror="document.title=\'taken\'"><style>*{display:none}</style>'

/** A body with lines far wider than a phone, and more of them than a screen has. */
const LONG = `${MARKUP}\n${`${'wide '.repeat(60)}\n${'unbroken'.repeat(40)}\n`.repeat(40)}`

/** A receiver that verifies nothing, and whose answers attack the report and tell all that it knows. */
export function hostile(): { does: Partial<Behaviour>; told: Set<string> } {
  const told = new Set<string>()
  const does: Partial<Behaviour> = {
    same: () => true,
    explain: (_, { secret, expected = '' }) => {
      if (expected !== '') told.add(expected)
      return `${MARKUP} the secret is ${secret}, the signature ${expected}`
    },
    acknowledge: (_, response) =>
      response.writeHead(200, { 'X-Note': MARKUP, 'X-Long': 'unbroken'.repeat(200) }).end(LONG),
  }
  return { does, told }
}
