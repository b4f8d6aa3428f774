// Verifies deliveries of Slack with Bolt for JavaScript.
import bolt from '@slack/bolt'

const { PORT, WEBHOOK_SECRET: signingSecret } = process.env
const receiver = new bolt.HTTPReceiver({ signingSecret, endpoints: '/webhooks' })
const app = new bolt.App({
  receiver,
  authorize: async () => ({ botId: 'B0001EXAMPLE', botUserId: 'U0002BOT' }),
})

// A signed body that is `null` would otherwise end the process.
process.on('unhandledRejection', (error) => console.error(error.message))
app.event(/.*/, async () => {})
await app.start({ port: Number(PORT), host: '127.0.0.1' })
