// Generated from the contracts of the services by `npm run generate`.
// cspell:disable
import type { DebuggedService } from './service.ts'

/** The services beside the payment service. */
export const OTHER_SERVICES: readonly DebuggedService[] = [
  {
    id: 'standard-webhooks',
    title: 'Standard Webhooks',
    scheme: {
      signed: [
        'id',
        {
          text: '.',
        },
        'time',
        {
          text: '.',
        },
        'body',
      ],
      digest: 'base64',
      key: {
        base64After: 'whsec_',
      },
      header: {
        name: 'webhook-signature',
        separator: ' ',
        label: 'v1,',
      },
      stamps: {
        id: 'webhook-id',
        time: 'webhook-timestamp',
      },
    },
    windowSeconds: 300,
    example: {
      header: 'v1,lWcHYq8YGwchtx5cMd3syr5tuf2XA/s7FO88vanrzVU=',
      id: 'msg_dHNGSONSgjaivBJfa99cayIRYYu',
      time: '1750000000',
      body: '{"type":"invoice.paid","timestamp":"2025-06-15T15:06:40.000Z","data":{"id":"inv_PBCBdd3sVaI1dB","amount":"49.00","currency":"EUR","description":"Order 10001","receipt":"https://billing.example/receipts/10001"}}\n',
      secret: 'whsec_dGhlIGtleSBvZiBhbiBleGFtcGxl',
      at: '1750000000',
    },
  },
  {
    id: 'stripe',
    title: 'Stripe',
    scheme: {
      signed: [
        'time',
        {
          text: '.',
        },
        'body',
      ],
      digest: 'hex',
      key: 'text',
      header: {
        name: 'Stripe-Signature',
        separator: ',',
        label: 'v1=',
        time: 't=',
      },
    },
    windowSeconds: 300,
    example: {
      header: 't=1750000000,v1=4ce846fe88dc5c1b122bb5645ca50fccce6f9eaef84eb30e5d720c50df628f54',
      body: '{"id":"evt_hFTDmNagujfGlolasoKL03lq","object":"event","api_version":"2026-08-27.basil","created":1750000000,"data":{"object":{"id":"pi_VfXFNTIkOhjKsctmkuX6PFuU","object":"payment_intent","amount":4900,"amount_received":4900,"created":1750000000,"currency":"eur","description":"Order 10001","livemode":false,"metadata":{"page":"https://shop.example/orders/10001"},"status":"succeeded"}},"livemode":false,"pending_webhooks":1,"request":{"id":null,"idempotency_key":null},"type":"payment_intent.succeeded"}\n',
      secret: 'whsec_dGhlIGtleSBvZiBhbiBleGFtcGxl',
      at: '1750000000',
    },
  },
  {
    id: 'github',
    title: 'GitHub',
    scheme: {
      signed: ['body'],
      digest: 'hex',
      key: 'text',
      header: {
        name: 'X-Hub-Signature-256',
        separator: ',',
        label: 'sha256=',
      },
      older: {
        hash: 'sha1',
        header: {
          name: 'X-Hub-Signature',
          separator: ',',
          label: 'sha1=',
        },
      },
    },
    windowSeconds: 300,
    example: {
      header: 'sha256=4ee4c2fbf1768270835fd309670ee2ef0e1e089b7342c67701267d8708e4de2d',
      body: '{"ref":"refs/heads/main","before":"b66f7b0fbc26ceee8f97f779b88adb5403ab85a1","after":"6c8bce4f5be448ab86e4c9e5343cc30318dee80f","commits":[{"id":"6c8bce4f5be448ab86e4c9e5343cc30318dee80f","message":"Order 10001","url":"https://github.com/example/shop/commit/6c8bce4f5be448ab86e4c9e5343cc30318dee80f"}],"pusher":{"name":"zoe"},"repository":{"id":10001,"name":"shop","full_name":"example/shop","private":false},"sender":{"id":7,"login":"zoe","type":"User"}}\n',
      secret: 'whsec_dGhlIGtleSBvZiBhbiBleGFtcGxl',
      at: '1750000000',
    },
  },
  {
    id: 'slack',
    title: 'Slack',
    scheme: {
      signed: [
        {
          text: 'v0:',
        },
        'time',
        {
          text: ':',
        },
        'body',
      ],
      digest: 'hex',
      key: 'text',
      header: {
        name: 'X-Slack-Signature',
        separator: ',',
        label: 'v0=',
      },
      stamps: {
        time: 'X-Slack-Request-Timestamp',
      },
    },
    windowSeconds: 300,
    example: {
      header: 'v0=324f3842651f68de1a06a17f906e040918fef457f443c4a038fcca987a8cd9ac',
      time: '1750000000',
      body: '{"token":"a token that nothing reads","team_id":"T0001EXAMPLE","api_app_id":"A0001EXAMPLE","event":{"type":"message","user":"U0001ZOE","text":"Order 10001","ts":"1750000000.000100","channel":"C0001ORDERS","channel_type":"channel","event_ts":"1750000000.000100"},"type":"event_callback","event_id":"EvVcREMk5cf","event_time":1750000000,"authorizations":[{"enterprise_id":null,"team_id":"T0001EXAMPLE","user_id":"U0002BOT","is_bot":true}],"event_context":"https://shop.example/orders/10001"}\n',
      secret: 'whsec_dGhlIGtleSBvZiBhbiBleGFtcGxl',
      at: '1750000000',
    },
  },
  {
    id: 'shopify',
    title: 'Shopify',
    scheme: {
      signed: ['body'],
      digest: 'base64',
      key: 'text',
      header: {
        name: 'X-Shopify-Hmac-SHA256',
        separator: ',',
        label: '',
      },
    },
    windowSeconds: 300,
    example: {
      header: 'UEjqSuyoJbQvoOkDe1f6CVCPwaK/uHcS+QGFE4oOkV8=',
      body: '{"id":3721686149090,"admin_graphql_api_id":"gid://shopify/Order/3721686149090","created_at":"2025-06-15T15:06:40+00:00","currency":"EUR","financial_status":"pending","name":"#10001","note":"Order 10001","order_status_url":"https://shop.example/orders/3721686149090","total_price":"49.00","line_items":[{"id":466157049,"title":"Teapot","quantity":1,"price":"49.00"}],"customer":{"id":207119551,"email":"zoe@shop.example","phone":null}}\n',
      secret: 'whsec_dGhlIGtleSBvZiBhbiBleGFtcGxl',
      at: '1750000000',
    },
  },
]
