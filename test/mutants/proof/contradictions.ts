import type { ConformanceReport } from '../../../schemas/types.ts'

/** What an impact claims, and what must have been received for it. */
const CLAIMS: readonly (readonly [claim: RegExp, evidence: RegExp])[] = [
  [
    /\btwice\b|more than once|reverses the order/,
    /\d+ times|(fulfilled|reversed).*, then |again|status 2|response/,
  ],
  [/gets? nothing|never gets?|suppress/, /not fulfilled|no effect|nothing|lost|: reversed$|status|response/m],
  [/\bcredit(s|ed)\b/, /but amount|but currency|fulfilled for|not fulfilled|status/],
  [/not paid for|should have been refused|without paying/, /fulfilled|reversed|livemode/],
  [/keeps (the|both)/, /fulfilled|reversed|no effect|nothing/],
  [/forge|replay|never made|\battacker\b(?!.*down)/i, /status 2|fulfilled|reversed|contains|status 1/],
  [/(is|are) refused/, /status [345]|no response/],
]

/** The verdicts whose impact claims what nothing that was received shows: guidance follows from what was observed. */
export function contradictions({ verdicts }: ConformanceReport): string[] {
  return verdicts
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
    .flatMap(({ case: id, impact, problems }) => {
      const received = problems.map((problem) => problem.received).join('; ')
      const unfounded = CLAIMS.some(([claim, evidence]) => claim.test(impact) && !evidence.test(received))
      return unfounded ? [`${id}: "${impact}" stands beside "${received}"`] : []
    })
}
