import type { Behavior } from '../mutants/behavior.ts'

/** Markup that would run, load something or close an element early if it were not escaped. */
export const MARKUP =
  '</pre></details></script><script>document.title="taken"</script><img src="http://127.0.0.1:9/x" onerror="document.title=\'taken\'"><style>*{display:none}</style>'

/** A body with lines far wider than a phone, and more lines than fit a screen. */
const LONG = `${MARKUP}\n${`${'wide '.repeat(60)}\n${'unbroken'.repeat(40)}\n`.repeat(40)}`

/** A receiver that verifies nothing, and whose responses attack the report and disclose all that it knows. */
export function hostile(): { does: Partial<Behavior>; disclosed: Set<string> } {
  const disclosed = new Set<string>()
  const does: Partial<Behavior> = {
    same: () => true,
    explain: (_, { secret, expected = '' }) => {
      if (expected !== '') disclosed.add(expected)
      return `${MARKUP} the secret is ${secret}, the signature ${expected}`
    },
    acknowledge: (_, response) =>
      response.writeHead(200, { 'X-Note': MARKUP, 'X-Long': 'unbroken'.repeat(200) }).end(LONG),
  }
  return { does, disclosed }
}
