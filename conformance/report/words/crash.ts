import type {
  Answered,
  CrashExpectedData,
  CrashFinding,
  CrashMistake,
  EffectCounts,
  InRounds,
  KillMoment,
  OverRestart,
  StartedWithout,
  Story,
} from '../../contracts/webhook/crash-finding.ts'
import type { Guidance } from '../../contracts/webhook/model.ts'
import { counted } from '../wording.ts'
import { notStartedText, wireText } from './failures.ts'

/** What each case of a run of crashes states, as a clause. */
export const CRASH_EXPECTED: Readonly<Record<keyof CrashExpectedData, string>> = {
  kept_over_restart: 'what was fulfilled before a graceful restart is still there after it',
  nothing_lost_in_crash:
    'every payment that was acknowledged, before a SIGKILL or after the restart, has its effect',
  redelivery_accepted_after_crash: 'every delivery of before the crash is accepted when it is sent again',
  nothing_doubled_after_crash: 'every payment has its effect once, also after a crash and a redelivery',
  refused_not_handled_after_crash:
    'a delivery that was refused has no effect, also after a crash and a start',
  refused_with_empty_secret: 'with an empty secret the receiver does not start, or refuses every delivery',
  refused_without_secret: 'without a secret the receiver does not start, or refuses every delivery',
  both_secrets_accepted:
    'with the old and the new secret, the receiver accepts a delivery signed with either',
  old_secret_refused: 'with the new secret alone, the receiver refuses a delivery signed with the old one',
  no_secret_printed: 'no line of the output contains the signing secret',
  no_signature_printed: 'no line of the output contains an entire signature',
}

const LOST = 'A crash loses a payment that the customer has made, and the service does not send it again.'

/** What each mistake means, and how to fix it. */
export const CRASH_GUIDANCE: Readonly<Record<CrashMistake, Guidance>> = {
  'not-kept': {
    impact: LOST,
    fix: 'Commit the delivery to a database or a synced file before you answer 200, and do not delete unfinished deliveries at startup.',
  },
  'left-undone': {
    impact: LOST,
    fix: 'At each start, process what is stored and not done, and mark a delivery as done only together with its effect.',
  },
  'early-refund-forgotten': {
    impact:
      'A crash makes the receiver forget a refund whose completion has not arrived yet: it then ships the goods, and the customer gets the money back.',
    fix: 'Store an early refund in the database, in the transaction that marks it as done, and look for it there when the completion arrives; do not keep it in memory.',
  },
  'taken-for-duplicate': {
    impact:
      'A payment whose delivery a crash interrupted is never handled: the receiver answers 200 to the delivery that is sent again, and does nothing.',
    fix: 'At each start, process what is stored and not done, and take a delivery for a duplicate only if the first one is stored as a whole.',
  },
  'not-recognized': {
    impact: 'A crash makes the merchant ship the goods twice.',
    fix: 'Keep the keys of handled deliveries in the store, under a unique constraint, not in the memory of the process.',
  },
}

/** A finding as one sentence or a part of one. */
export function crashText(found: CrashFinding): string {
  switch (found.code) {
    case 'forgotten':
      return `the receiver does not keep its state: ${found.payment} was fulfilled before ${restartText(found)}, and after it showed ${effectsText(found.effects)}, and nothing changed for ${seconds(found.quietMs)}`
    case 'doubled-by-restart':
      return `${found.payment} was fulfilled before ${restartText(found)}, and ${effectsText(found.effects)} after it, although nothing was delivered again`
    case 'unseen':
      return `the valid delivery of ${found.payment} was acknowledged, but before any restart its payment showed ${effectsText(found.effects)} for ${seconds(found.waitMs)}: check that effects can be observed, with \`npx hookproof check --observe\``
    case 'no-crash-tried':
      return 'the receiver does not keep its state over a graceful restart, so no crash was tried'
    case 'nothing-acknowledged':
      return 'the receiver acknowledged no payment before it was killed'
    case 'not-restarted':
      return `round ${found.round}: after a SIGKILL, ${notStartedText(found.why)[0]}`
    case 'payment':
      return storyText(found)
    case 'refused-handled':
      return `round ${found.round}, ${found.payment}: refused with status ${found.status} (${found.change ?? 'a delivery'}), but after the crash ${effectsText(found.effects)}`
    case 'nothing-refused':
      return 'the receiver refused no delivery that was forged, unsigned or stale'
    case 'more-payments':
      return `the same for ${counted(found.count, 'more payment')}`
    case 'lost':
      return `lost: ${found.count} of ${counted(found.acknowledged, 'acknowledged payment')}, ${roundsText(found)}${beforeKillText(found.beforeKillMs)}; delivered again, ${recoveredText(found)}`
    case 'never-handled':
      return `never handled: ${counted(found.count, 'payment')}, ${roundsText(found)}, acknowledged only after the restart, as if the delivery were a duplicate`
    case 'doubled':
      return `handled twice: ${found.count} of ${counted(found.payments, 'payment')}, ${roundsText(found)}, ${laterText(found)}`
    case 'accepted-without-secret':
      return `started with ${secretText(found)}, the receiver answered 200 to a delivery (${found.change ?? 'valid'})`
    case 'not-listening-without-secret':
      return `started with ${secretText(found)}, the receiver neither ended nor listened`
    case 'printed':
      return `${found.lines} of ${found.of} lines that the receiver printed contain ${found.what === 'secret' ? 'the signing secret' : 'the entire signature of a valid delivery'}`
    case 'short-secret':
      return 'the signing secret is so short that its characters may occur by chance'
    case 'both-as-one':
      return 'started with two secrets, the receiver used the text of both as one secret'
    case 'both-not-listening':
      return 'started with two secrets, the receiver did not listen'
    case 'new-not-listening':
      return 'started with a new secret alone, the receiver did not listen: does it accept any secret?'
    case 'one-of-both-accepted':
      return `started with two secrets, the receiver accepted a delivery signed with the ${found.accepted} one, and answered ${answerText(found.answer)} to one signed with the ${found.accepted === 'old' ? 'new' : 'old'} one`
    case 'none-of-both-accepted':
      return `started with two secrets, the receiver accepted neither: ${answerText(found.answer)} to the old one; write the value of --rotate-env as the receiver reads it`
    case 'new-refused':
      return `started with a new secret alone, the receiver answered ${answerText(found.answer)} to a delivery signed with it`
    case 'old-unanswered':
      return `after the rotation, there was ${failureOf(found.answer) ?? 'no response'} to the old secret`
    case 'old-accepted':
      return `started with the new secret alone, the receiver answered ${found.status} to a delivery signed with the old one`
    case 'secret_from_elsewhere':
      return 'needs a receiver that gets its secret from nothing but its environment'
    case 'rotation_not_asked':
      return 'needs --rotate-env, for a receiver that can have two secrets'
  }
}

/** The moment of a kill as a report names it. */
export function momentText({ kind, delayMs, ofStart }: KillMoment): string {
  const after = `${delayMs.toFixed(delayMs < 10 ? 1 : 0)} ms after a 200`
  switch (kind) {
    case 'first-byte':
      return 'on the first byte of a 200'
    case 'on-effect':
      return 'as soon as an effect showed'
    case 'after-acknowledgment':
      return after
    case 'before-effect':
      return `${after}, before its effect was due`
    case 'during-start':
      return `on the first byte of a 200, and again ${Math.round(ofStart * 100)} % into the next start`
  }
}

/** What happened to a payment, in the order in which it happened. */
function storyText(story: Story): string {
  const { killedMs, redeliveredMs, observed, quietMs, again } = story
  const at = (ms: number) => `${Math.round(ms)} ms`
  const seen =
    'fulfilled' in observed
      ? effectsText(observed)
      : `${observed.status === undefined ? (failureOf(observed) ?? 'no response') : `status ${observed.status}`} to every redelivery`
  const parts = [
    acknowledgedText(story, at),
    `killed at ${at(killedMs)} (${momentText(story.moment)})`,
    `started again and accepted deliveries at ${at(story.readyMs)}`,
    ...(redeliveredMs === undefined ? [] : [`delivered again and acknowledged by ${at(redeliveredMs)}`]),
    `then ${seen}${quietMs === undefined ? '' : `, and nothing changed for ${seconds(quietMs)} (--recover-within)`}`,
    ...(again === undefined ? [] : [`delivered again: ${effectsText(again)}`]),
  ]
  return `round ${story.round}, ${story.payment}, ${story.event}: ${parts.join('; ')}`
}

function acknowledgedText({ sentMs, acknowledgedMs, killedMs }: Story, at: (ms: number) => string): string {
  if (acknowledgedMs !== undefined)
    return acknowledgedMs <= killedMs
      ? `acknowledged at ${at(acknowledgedMs)}`
      : `acknowledged just before the kill (the 200 arrived at ${at(acknowledgedMs)})`
  if (sentMs === undefined) return 'not sent'
  return sentMs <= killedMs ? `sent at ${at(sentMs)} without an acknowledgment` : 'not sent before the kill'
}

/** `no effect`, `fulfilled`, `fulfilled twice, reversed`. */
function effectsText({ fulfilled, reversed }: EffectCounts): string {
  const parts = [times('fulfilled', fulfilled), times('reversed', reversed)].filter((part) => part !== '')
  return parts.length === 0 ? 'no effect' : parts.join(', ')
}

function times(what: string, count: number): string {
  if (count < 2) return count === 0 ? '' : what
  return count === 2 ? `${what} twice` : `${what} ${count} times`
}

const restartText = ({ stoppedByItself }: OverRestart): string =>
  stoppedByItself ? 'a graceful restart (SIGTERM)' : 'a restart (SIGTERM, then SIGKILL after 10 s)'

const roundsText = ({ rounds, ofRounds }: InRounds): string => `in ${rounds} of ${counted(ofRounds, 'round')}`

function beforeKillText(beforeKillMs: readonly number[]): string {
  if (beforeKillMs.length === 0) return ''
  const least = Math.round(Math.min(...beforeKillMs))
  const most = Math.round(Math.max(...beforeKillMs))
  return `, acknowledged ${least === most ? most : `${least} to ${most}`} ms before the kill`
}

function recoveredText({ recovered, count }: { readonly recovered: number; readonly count: number }): string {
  if (recovered === count) return 'all had their effect: the receiver had not kept them'
  return recovered === 0
    ? 'none had its effect: the receiver recognized them, but had never finished them'
    : `${recovered} of them had their effect`
}

function laterText({ later, count }: { readonly later: number; readonly count: number }): string {
  if (later === count) return 'all when they were delivered again: the receiver did not recognize them'
  return later === 0
    ? 'all before anything was delivered again: the receiver repeated work that it had done'
    : `${later} of them when they were delivered again`
}

const secretText = ({ secret }: StartedWithout): string =>
  secret === 'empty' ? 'an empty secret' : 'no secret'

const answerText = (answer: Answered): string =>
  answer.status === undefined ? (failureOf(answer) ?? 'nothing') : String(answer.status)

const failureOf = ({ error }: Answered): string | undefined => error && wireText(error)

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
