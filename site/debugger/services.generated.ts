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
      header: 'v1,AGpyuP4SzsXFrFJ21cz3y12rmuMx1sCq/x0z/bkVrSQ=',
      id: 'msg_PBCBdd3sVaI1dB1lIupDGJKm5aM',
      time: '1750000000',
      body: '{"type":"invoice.paid","timestamp":"2025-06-15T15:06:40.000Z","data":{"id":"inv_3esSYR8jBAEXTn","amount":"49.00","currency":"EUR","description":"Order 10001","receipt":"https://billing.example/receipts/10001"}}\n',
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
      header: 't=1750000000,v1=b7e303f031594e75e85a5cc8a16500d1617f98510d9071f5b6a3a2e319262e0e',
      body: '{"id":"evt_o6pWE1D8dZFTzB1ZY39gluff","object":"event","api_version":"2026-08-27.basil","created":1750000000,"data":{"object":{"id":"pi_6d4t0U70vEWLn1BpPEyuztcR","object":"payment_intent","amount":4900,"amount_received":4900,"created":1750000000,"currency":"eur","description":"Order 10001","livemode":false,"metadata":{"page":"https://shop.example/orders/10001"},"status":"succeeded"}},"livemode":false,"pending_webhooks":1,"request":{"id":null,"idempotency_key":null},"type":"payment_intent.succeeded"}\n',
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
    },
    windowSeconds: 300,
    example: {
      header: 'sha256=bda0eab1535c1e1f3a0f8831165cd3cced34d0566ff3b3c38543bc14fab644be',
      body: '{"ref":"refs/heads/main","before":"b66f7b0fbc26ceee8f97f779b88adb5403ab85a1","after":"e9db096028959be2f8543b6e3aca1f60b700eb87","commits":[{"id":"e9db096028959be2f8543b6e3aca1f60b700eb87","message":"Order 10001","url":"https://github.com/example/shop/commit/e9db096028959be2f8543b6e3aca1f60b700eb87"}],"pusher":{"name":"zoe"},"repository":{"id":10001,"name":"shop","full_name":"example/shop","private":false},"sender":{"id":7,"login":"zoe","type":"User"}}\n',
      secret: 'whsec_dGhlIGtleSBvZiBhbiBleGFtcGxl',
      at: '1750000000',
    },
  },
]
