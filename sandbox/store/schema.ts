import { readFileSync } from 'node:fs'

/** Whether a delivery, the row of the table itself, has a later resend to the same recipient that was delivered. */
const IS_RESOLVED = `EXISTS (SELECT 1 FROM deliveries AS later WHERE later.event_id = deliveries.event_id
  AND later.seq > deliveries.seq AND later.state = 'delivered' AND later.cause IN ('resend', 'redelivery')
  AND later.endpoint_id IS deliveries.endpoint_id
  AND (later.endpoint_id IS NOT NULL OR later.url = deliveries.url))`

/** Marks a delivery that has failed as resent if that is so; its value is the delivery's id. */
export const RESOLVE_ONE = `UPDATE deliveries SET state = 'resent' WHERE id = ? AND state = 'failed' AND ${IS_RESOLVED}`
/** Marks the failed deliveries of an event that are resolved; its value is the id of a delivery of the event. */
export const RESOLVE_OTHERS = `UPDATE deliveries INDEXED BY deliveries_of_event SET state = 'resent'
  WHERE event_id = (SELECT event_id FROM deliveries AS made WHERE made.id = ? AND made.cause IN ('resend', 'redelivery'))
    AND state = 'failed' AND ${IS_RESOLVED}`

/** The format of the file. No other one was ever released. */
export const SCHEMA_VERSION = 10

/** Creates the tables in an empty file. */
export const SCHEMA = readFileSync(new URL('schema.sql', import.meta.url), 'utf8')
