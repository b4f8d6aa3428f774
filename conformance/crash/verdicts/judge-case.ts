import { isShortSecret } from '../../contracts/payment-service/secret.ts'
import type { CrashCaseId } from '../catalogue.ts'
import type { WithoutSecret } from '../secrets/without-secret.ts'
import type { WarmUp } from '../warm-up.ts'
import { type Found, toExchange } from './found.ts'
import { overview } from './overview.ts'
import { acceptsBoth, refusesOld } from './rotated.ts'
import type { Failure } from './story.ts'
import type { CrashSummary } from './summary.ts'

/** How many payments a verdict describes; the rest is counted. */
const DESCRIBED = 3

/** Judges one case by what happened in the run. */
export function judge(id: CrashCaseId, summary: CrashSummary): Found {
  const { warm, withoutSecret, output, target } = summary
  switch (id) {
    case 'durability/kept-over-a-restart':
      if (warm.state === 'unseen') return { reason: unseen(warm) }
      return warm.state === 'forgotten' ? { problems: [warm.story] } : {}
    case 'durability/nothing-lost-in-a-crash':
      return afterCrashes(summary, 'lost')
    case 'durability/redelivery-accepted-after-a-crash':
      return afterCrashes(summary, 'not-accepted')
    case 'durability/nothing-doubled-after-a-crash':
      return afterCrashes(summary, 'doubled')
    case 'startup/started-with-an-empty-secret':
      return startedWithout(withoutSecret.empty, 'an empty secret')
    case 'startup/started-without-a-secret':
      return startedWithout(withoutSecret.absent, 'no secret')
    case 'rotation/both-secrets-accepted':
      return acceptsBoth(summary.rotation)
    case 'rotation/old-secret-refused-afterwards':
      return refusesOld(summary.rotation)
    case 'output/no-secret-in-the-output':
      if (isShortSecret(target.secret))
        return { reason: 'the signing secret is so short that its characters may occur by chance' }
      return inOutput(output.secretLines(), output.lines(), 'the signing secret')
    case 'output/no-signature-in-the-output':
      return inOutput(output.signatureLines(), output.lines(), 'the entire signature of a valid delivery')
  }
}

function afterCrashes(summary: CrashSummary, kind: Failure['kind']): Found {
  const { warm, rounds, late, notStarted } = summary
  if (warm.state === 'unseen') return { reason: unseen(warm) }
  if (warm.state === 'forgotten')
    return { reason: 'the receiver does not keep its state over a graceful restart, so no crash was tried' }
  const failures = [...rounds.flatMap(({ failures }) => failures), ...late].filter((one) => one.kind === kind)
  const atRestart = kind === 'doubled' && warm.doubled !== undefined ? [warm.doubled] : []
  if (failures.length + atRestart.length > 0) {
    const more = failures.length - DESCRIBED
    const { opening, guidance } = overview(failures, summary)
    return {
      problems: [
        ...opening,
        ...atRestart,
        ...failures.slice(0, DESCRIBED).map(({ story }) => story),
        ...(more > 0 ? [`the same for ${more} more ${more === 1 ? 'payment' : 'payments'}`] : []),
      ],
      guidance,
      exchanges: failures.slice(0, DESCRIBED).flatMap(({ payment }) => payment.sent.map(toExchange)),
      round: failures[0]?.round,
    }
  }
  if (notStarted !== undefined) {
    const message = `round ${notStarted.round}: after a SIGKILL, ${notStarted.message}`
    // The address of a killed process can stay taken for a minute, which is a matter of the socket's options.
    const isTaken = /EADDRINUSE|address already in use/i.test(message)
    return kind === 'lost' && !isTaken
      ? { problems: [message], round: notStarted.round }
      : { reason: message }
  }
  return rounds.some(({ acknowledged }) => acknowledged > 0)
    ? {}
    : { reason: 'the receiver acknowledged no payment before it was killed' }
}

const unseen = ({ story }: WarmUp): string =>
  `${story}: check that effects can be observed, with \`hookproof check --observe\``

function startedWithout(found: WithoutSecret, what: string): Found {
  if (found.outcome === 'has-the-secret')
    return { excluded: 'needs a receiver that gets its secret from nothing but its environment' }
  if (found.outcome === 'not-listening')
    return { reason: `started with ${what}, the receiver neither ended nor listened` }
  if (found.outcome !== 'accepted') return {}
  return {
    problems: [
      `started with ${what}, the receiver answered 200 to a delivery (${found.sent.delivery.change ?? 'valid'})`,
    ],
    exchanges: [toExchange(found.sent)],
  }
}

function inOutput(found: number, all: number, what: string): Found {
  if (found === 0) return {}
  return { problems: [`${found} of ${all} lines that the receiver printed contain ${what}`] }
}
