/** The JSON Schemas of this folder: their file paths without `.json`. */
export const SCHEMA_NAMES = [
  'event.strict',
  'event.tolerant',
  'api/endpoint',
  'api/endpoint-list',
  'api/endpoint-create-request',
  'api/endpoint-create-response',
  'api/payment',
  'api/payment-create-request',
  'api/payment-create-response',
  'api/clock-move',
  'api/listen',
  'api/payment-action',
  'api/payment-list',
  'api/payment-resend-response',
  'api/error',
  'observation',
  'handled',
  'signature-vector',
  'report',
  'baseline',
  'config',
  'capture',
] as const

export type SchemaName = (typeof SCHEMA_NAMES)[number]
