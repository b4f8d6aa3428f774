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

/** Each entry upgrades the file by one version; the first creates the tables in an empty file. */
export const MIGRATIONS = [
  `
  CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE organisations (
    id                 TEXT PRIMARY KEY,
    name               TEXT NOT NULL,
    webhook_url_secret TEXT NOT NULL
  );

  CREATE TABLE api_keys (
    seq             INTEGER PRIMARY KEY,
    id              TEXT    NOT NULL UNIQUE,
    organisation_id TEXT    NOT NULL REFERENCES organisations (id),
    mode            TEXT    NOT NULL CHECK (mode IN ('test', 'live')),
    shown           TEXT    NOT NULL,
    hash            BLOB    NOT NULL UNIQUE,
    scopes          TEXT    NOT NULL,
    created_at      INTEGER NOT NULL,
    revoked_at      INTEGER
  );

  CREATE TABLE endpoints (
    seq             INTEGER PRIMARY KEY,
    id              TEXT    NOT NULL UNIQUE,
    organisation_id TEXT    NOT NULL REFERENCES organisations (id),
    url             TEXT    NOT NULL,
    secret          TEXT,
    events          TEXT    NOT NULL,
    mode            TEXT    NOT NULL CHECK (mode IN ('test', 'live', 'both')),
    is_enabled      INTEGER NOT NULL DEFAULT 1,
    description     TEXT,
    created_at      INTEGER NOT NULL,
    deleted_at      INTEGER,
    CHECK (deleted_at IS NULL OR secret IS NULL)
  );
  CREATE INDEX endpoints_live ON endpoints (organisation_id) WHERE deleted_at IS NULL;

  CREATE TABLE payments (
    seq             INTEGER PRIMARY KEY,
    id              TEXT    NOT NULL UNIQUE,
    parent_id       TEXT    REFERENCES payments (id),
    organisation_id TEXT    NOT NULL REFERENCES organisations (id),
    mode            TEXT    NOT NULL CHECK (mode IN ('test', 'live')),
    status          TEXT    NOT NULL,
    amount          TEXT    NOT NULL,
    amount_received TEXT,
    currency        TEXT    NOT NULL,
    method          TEXT,
    return_url      TEXT,
    webhook_url     TEXT,
    metadata        TEXT    NOT NULL,
    settled_via     TEXT,
    failure_code    TEXT,
    failure_reason  TEXT,
    refund_type     TEXT,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    window_ends_at  INTEGER
  );
  CREATE INDEX payments_listed ON payments (organisation_id, mode, seq) WHERE parent_id IS NULL;
  CREATE INDEX payments_by_status ON payments (organisation_id, mode, status, seq) WHERE parent_id IS NULL;
  CREATE INDEX payments_children ON payments (parent_id) WHERE parent_id IS NOT NULL;
  CREATE INDEX payments_waiting ON payments (window_ends_at)
    WHERE status = 'partial' AND window_ends_at IS NOT NULL;

  CREATE TABLE events (
    seq             INTEGER PRIMARY KEY,
    id              TEXT    NOT NULL UNIQUE,
    payment_id      TEXT    NOT NULL REFERENCES payments (id),
    organisation_id TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    mode            TEXT    NOT NULL,
    body            BLOB    NOT NULL,
    created_at      INTEGER NOT NULL
  );
  CREATE INDEX events_of_payment ON events (payment_id);

  CREATE TABLE deliveries (
    seq             INTEGER PRIMARY KEY,
    id              TEXT    NOT NULL UNIQUE,
    event_id        TEXT    NOT NULL REFERENCES events (id),
    organisation_id TEXT    NOT NULL REFERENCES organisations (id),
    endpoint_id     TEXT    REFERENCES endpoints (id),
    url             TEXT    NOT NULL,
    cause           TEXT    NOT NULL,
    body            BLOB,
    state           TEXT    NOT NULL DEFAULT 'pending',
    attempts        INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL,
    flagged         INTEGER NOT NULL DEFAULT 0,
    chaos           TEXT,
    created_at      INTEGER NOT NULL,
    ended_at        INTEGER
  );
  CREATE INDEX deliveries_due ON deliveries (next_attempt_at, seq) WHERE state = 'pending';
  CREATE INDEX deliveries_in_flight ON deliveries (seq) WHERE state = 'in_flight';
  CREATE INDEX deliveries_of_event ON deliveries (event_id);
  CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, state) WHERE endpoint_id IS NOT NULL;

  CREATE TABLE attempts (
    delivery_id      TEXT    NOT NULL REFERENCES deliveries (id),
    number           INTEGER NOT NULL,
    started_at       INTEGER NOT NULL,
    duration_ms      INTEGER NOT NULL,
    status           INTEGER,
    error            TEXT,
    detail           TEXT,
    request_headers  TEXT    NOT NULL,
    response_headers TEXT,
    response_body    BLOB,
    PRIMARY KEY (delivery_id, number)
  ) WITHOUT ROWID;

  CREATE TABLE api_log (
    id              INTEGER PRIMARY KEY,
    at              INTEGER NOT NULL,
    method          TEXT    NOT NULL,
    path            TEXT    NOT NULL,
    status          INTEGER NOT NULL,
    duration_ms     INTEGER NOT NULL,
    organisation_id TEXT,
    key_id          TEXT,
    request_body    TEXT,
    response_body   TEXT
  );

  CREATE TABLE idempotency_keys (
    organisation_id TEXT    NOT NULL,
    mode            TEXT    NOT NULL,
    key             TEXT    NOT NULL,
    request_hash    BLOB    NOT NULL,
    payment_id      TEXT    NOT NULL REFERENCES payments (id),
    created_at      INTEGER NOT NULL,
    PRIMARY KEY (organisation_id, mode, key)
  ) WITHOUT ROWID;
  `,
  // The recipient is the origin of the URL: it is a server that hangs, and each payment may have its own path.
  `
  ALTER TABLE deliveries ADD COLUMN recipient TEXT GENERATED ALWAYS AS (
    substr(url, 1, 7 + instr(replace(replace(substr(url, 9), '?', '/'), '#', '/') || '/', '/'))
  ) VIRTUAL;
  DROP INDEX deliveries_due;
  CREATE INDEX deliveries_due ON deliveries (recipient, next_attempt_at, seq) WHERE state = 'pending';
  CREATE INDEX deliveries_failed ON deliveries (seq) WHERE state = 'failed';
  `,
  // The interface spells it "organization".
  `
  ALTER TABLE organisations RENAME TO organizations;
  ALTER TABLE api_keys RENAME COLUMN organisation_id TO organization_id;
  ALTER TABLE endpoints RENAME COLUMN organisation_id TO organization_id;
  ALTER TABLE payments RENAME COLUMN organisation_id TO organization_id;
  ALTER TABLE events RENAME COLUMN organisation_id TO organization_id;
  ALTER TABLE deliveries RENAME COLUMN organisation_id TO organization_id;
  ALTER TABLE api_log RENAME COLUMN organisation_id TO organization_id;
  ALTER TABLE idempotency_keys RENAME COLUMN organisation_id TO organization_id;
  `,
  // For the dashboard: totals of events and of deliveries by recipient, and the deliveries of an endpoint, newest first.
  `
  CREATE INDEX events_counted ON events (organization_id, mode, name);
  CREATE INDEX deliveries_counted ON deliveries (organization_id, url, endpoint_id, state, attempts);
  CREATE INDEX deliveries_listed ON deliveries (endpoint_id, seq) WHERE endpoint_id IS NOT NULL;
  `,
  // For the progress of a resend.
  `
  CREATE INDEX deliveries_resent ON deliveries (organization_id, seq, state, attempts) WHERE cause = 'redelivery';
  `,
  // What is resent together, and which deliveries are still to be queued for it.
  `
  CREATE TABLE resends (
    id              INTEGER PRIMARY KEY,
    organization_id TEXT    NOT NULL REFERENCES organizations (id),
    after           INTEGER NOT NULL,
    total           INTEGER NOT NULL,
    queued          INTEGER NOT NULL,
    is_listed       INTEGER NOT NULL
  );
  CREATE TABLE resend_batches (
    number     INTEGER PRIMARY KEY,
    resend_id  INTEGER NOT NULL REFERENCES resends (id),
    is_retry   INTEGER NOT NULL,
    deliveries TEXT    NOT NULL
  );
  CREATE INDEX resend_batches_of ON resend_batches (resend_id);
  `,
  // For the dashboard: events in the order of their list, and those with a delivery in a state.
  `
  CREATE INDEX events_listed ON events (organization_id, seq, mode, name, created_at);
  CREATE INDEX deliveries_in_state ON deliveries (organization_id, state, event_id, attempts);
  DROP INDEX deliveries_failed;
  `,
  // A failed delivery is resolved when a later resend to the same recipient is delivered.
  `UPDATE deliveries SET state = 'resent' WHERE state = 'failed' AND ${IS_RESOLVED}`,
]

export const SCHEMA_VERSION = MIGRATIONS.length

/** The tables that can become large, with their keys. Each comes before those that it references. */
export const LARGE_TABLES = [
  ['idempotency_keys', 'organization_id, mode, key'],
  ['api_log', 'rowid'],
  ['resend_batches', 'rowid'],
  ['resends', 'rowid'],
  ['attempts', 'delivery_id, number'],
  ['deliveries', 'rowid'],
  ['events', 'rowid'],
  ['payments', 'rowid'],
] as const

/** The other tables, in the same order. The large ones refer to them. */
export const SMALL_TABLES = ['endpoints', 'api_keys', 'organizations', 'settings'] as const
