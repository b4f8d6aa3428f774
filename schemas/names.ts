/** The JSON Schemas of this folder: the names of their files without `.json`. */
export const SCHEMA_NAMES = [
  'event.strict',
  'event.tolerant',
  'endpoint',
  'endpoint-list',
  'endpoint-create-request',
  'endpoint-create-response',
  'payment',
  'payment-create-request',
  'payment-create-response',
  'clock-move',
  'payment-action',
  'payment-list',
  'payment-resend-response',
  'error',
  'observation',
  'signature-vector',
  'report',
  'baseline',
  'config',
] as const

export type SchemaName = (typeof SCHEMA_NAMES)[number]
