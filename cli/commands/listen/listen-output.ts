import colors from 'picocolors'

/** What the sandbox tells whoever listens, a line of JSON each; `lost` is told by `hookproof listen` itself. */
export type Told =
  | { readonly type: 'ready'; readonly secret: string | null }
  | { readonly type: 'lost' }
  | { readonly type: 'gone'; readonly why: 'deleted' | 'reset' }
  | { readonly type: 'off' | 'on'; readonly endpoint: string }
  | (Step & { readonly type: 'delivery' })
  | (Step & Outcome & { readonly type: 'answer' })

interface Step {
  readonly event: string
  readonly payment_id: string
  readonly attempt: number
  readonly shown_url: string
}

interface Outcome {
  readonly status: number | null
  readonly error: string | null
  readonly detail: string | null
  readonly ms: number
}

/** What the lines are about. */
interface Listening {
  /** Of the sandbox. */
  readonly url: string
  readonly forwardTo: string | undefined
  /** The secret that was shown last; undefined before the first time. */
  readonly secret: string | null | undefined
}

/** A line for people. */
export function lineOf(told: Told, on: Listening): string {
  switch (told.type) {
    case 'ready':
      return ready(told.secret, on)
    case 'lost':
      return `The connection to ${on.url} is lost: nothing comes until the sandbox is there again.`
    case 'gone':
      return told.why === 'reset'
        ? 'The sandbox was reset.'
        : 'Someone deleted the endpoint of this listener: it gets another.'
    case 'off':
      return `Someone switched off the endpoint of this listener, ${told.endpoint}: nothing comes until it is switched on again.`
    case 'on':
      return `The endpoint of this listener is switched on again.`
    case 'delivery':
      return `--> ${nameOf(told, on)}`
    case 'answer':
      return `<-- ${nameOf(told, on)}  ${outcomeOf(told)}`
  }
}

function ready(secret: string | null, { url, forwardTo, secret: before }: Listening): string {
  if (before === undefined) {
    if (forwardTo === undefined) return `Listening to ${url}. Ctrl-C stops.`
    return `Events of ${url} go to ${forwardTo}, signed with ${secret}. Ctrl-C stops.`
  }
  const again = `Connected to ${url} again.`
  if (secret === before) return again
  return `${again} The signing secret is another now, and the receiver needs it: ${secret}`
}

/** Who gets it is said only where it may be anyone. */
function nameOf(step: Step, { forwardTo }: Listening): string {
  const to = forwardTo === undefined ? `  ${step.shown_url}` : ''
  const again = step.attempt > 1 ? `  attempt ${step.attempt}` : ''
  return `${step.event.padEnd(17)} ${step.payment_id}${to}${again}`
}

function outcomeOf({ status, error, detail, ms }: Outcome): string {
  const paint = status === 200 ? colors.green : colors.red
  return `${paint(String(status ?? error ?? ''))} in ${ms} ms${detail ? `: ${detail}` : ''}`
}
