import { createHash } from 'node:crypto'
import type { Sample } from '../webhook/service.ts'

type Made = Parameters<Sample>[0]

const TEAM = 'T0001EXAMPLE'
const USER = 'U0001ZOE'
const CHANNEL = 'C0001ORDERS'
/** An event in the envelope that all of them have. */
const callback =
  (type: string, event: (made: Made) => object): Sample =>
  (made) => ({
    token: 'a token that nothing reads',
    team_id: TEAM,
    api_app_id: 'A0001EXAMPLE',
    event: { type, ...event(made), event_ts: `${made.now}.000100` },
    type: 'event_callback',
    event_id: made.newId('Ev', 9),
    event_time: made.now,
    authorizations: [{ enterprise_id: null, team_id: TEAM, user_id: 'U0002BOT', is_bot: true }],
    event_context: 'https://shop.example/orders/10001',
  })
const message = (made: Made) => ({
  user: USER,
  text: made.note,
  ts: `${made.now}.000100`,
  channel: CHANNEL,
})

/** Our own events in the shape of Slack's Events API, by the type inside; most cases send the first one. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  message: callback('message', (made) => ({ ...message(made), channel_type: 'channel' })),
  app_mention: callback('app_mention', message),
  reaction_added: callback('reaction_added', ({ now }) => ({
    user: USER,
    reaction: 'tada',
    item: { type: 'message', channel: CHANNEL, ts: `${now}.000100` },
    item_user: 'U0003ADA',
  })),
  app_home_opened: callback('app_home_opened', () => ({ user: USER, channel: 'D0001HOME', tab: 'home' })),
  team_join: callback('team_join', () => ({ user: { id: USER, name: 'zoe', deleted: false } })),
  channel_created: callback('channel_created', ({ now }) => ({
    channel: { id: CHANNEL, name: 'orders', created: now, creator: USER },
  })),
  app_uninstalled: callback('app_uninstalled', () => ({})),
  'event-nobody-knows': callback('unknown_event', () => ({ user: USER })),
}

/** The request by which Slack verifies the address of a receiver, with a challenge that depends on `text`. */
export function urlVerification(text: string | Buffer): {
  readonly body: string
  readonly challenge: string
} {
  const challenge = createHash('sha256').update(text).digest('hex')
  const token = 'a token that nothing reads'
  return { body: JSON.stringify({ token, challenge, type: 'url_verification' }), challenge }
}
