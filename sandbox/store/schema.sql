CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE organizations (
  id                 TEXT PRIMARY KEY,
  name               TEXT NOT NULL,
  webhook_url_secret TEXT NOT NULL
);

CREATE TABLE api_keys (
  seq             INTEGER PRIMARY KEY,
  id              TEXT    NOT NULL UNIQUE,
  organization_id TEXT    NOT NULL REFERENCES organizations (id),
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
  organization_id TEXT    NOT NULL REFERENCES organizations (id),
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
CREATE INDEX endpoints_live ON endpoints (organization_id) WHERE deleted_at IS NULL;

CREATE TABLE payments (
  seq             INTEGER PRIMARY KEY,
  id              TEXT    NOT NULL UNIQUE,
  parent_id       TEXT    REFERENCES payments (id),
  organization_id TEXT    NOT NULL REFERENCES organizations (id),
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
CREATE INDEX payments_listed ON payments (organization_id, mode, seq) WHERE parent_id IS NULL;
CREATE INDEX payments_by_status ON payments (organization_id, mode, status, seq) WHERE parent_id IS NULL;
CREATE INDEX payments_children ON payments (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX payments_waiting ON payments (window_ends_at)
  WHERE status = 'partial' AND window_ends_at IS NOT NULL;

CREATE TABLE events (
  seq             INTEGER PRIMARY KEY,
  id              TEXT    NOT NULL UNIQUE,
  payment_id      TEXT    NOT NULL REFERENCES payments (id),
  organization_id TEXT    NOT NULL,
  name            TEXT    NOT NULL,
  mode            TEXT    NOT NULL,
  body            BLOB    NOT NULL,
  created_at      INTEGER NOT NULL
);
CREATE INDEX events_of_payment ON events (payment_id);
-- For the dashboard: totals, and the order of the list.
CREATE INDEX events_counted ON events (organization_id, mode, name);
CREATE INDEX events_listed ON events (organization_id, seq, mode, name, created_at);

CREATE TABLE deliveries (
  seq             INTEGER PRIMARY KEY,
  id              TEXT    NOT NULL UNIQUE,
  event_id        TEXT    NOT NULL REFERENCES events (id),
  organization_id TEXT    NOT NULL REFERENCES organizations (id),
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
  ended_at        INTEGER,
  -- The origin of the URL: it is a server that hangs, and each payment may have its own path.
  recipient       TEXT    GENERATED ALWAYS AS (
    substr(url, 1, 7 + instr(replace(replace(substr(url, 9), '?', '/'), '#', '/') || '/', '/'))
  ) VIRTUAL,
  -- How many of its first attempts are wrong on purpose: a correct receiver does not accept them, or never sees them.
  faulty_attempts INTEGER NOT NULL GENERATED ALWAYS AS (
    CASE WHEN chaos ->> '$.badSignature' OR chaos ->> '$.staleBySeconds' > 300 THEN 1000000
      ELSE coalesce(chaos ->> '$.dropFirst', 0) END
  ) VIRTUAL
);
CREATE INDEX deliveries_due ON deliveries (recipient, next_attempt_at, seq) WHERE state = 'pending';
CREATE INDEX deliveries_in_flight ON deliveries (seq) WHERE state = 'in_flight';
CREATE INDEX deliveries_of_event ON deliveries (event_id);
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, state) WHERE endpoint_id IS NOT NULL;
-- For the dashboard: totals by recipient, the deliveries of an endpoint, and those in a state.
CREATE INDEX deliveries_counted ON deliveries (organization_id, url, endpoint_id, state, attempts, faulty_attempts);
CREATE INDEX deliveries_listed ON deliveries (endpoint_id, seq) WHERE endpoint_id IS NOT NULL;
CREATE INDEX deliveries_in_state ON deliveries (organization_id, state, event_id, attempts, faulty_attempts);
-- For the progress of a resend.
CREATE INDEX deliveries_resent ON deliveries (organization_id, seq, state, attempts) WHERE cause = 'redelivery';

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
  organization_id TEXT,
  key_id          TEXT,
  request_body    TEXT,
  response_body   TEXT
);

CREATE TABLE idempotency_keys (
  organization_id TEXT    NOT NULL,
  mode            TEXT    NOT NULL,
  key             TEXT    NOT NULL,
  request_hash    BLOB    NOT NULL,
  payment_id      TEXT    NOT NULL REFERENCES payments (id),
  created_at      INTEGER NOT NULL,
  PRIMARY KEY (organization_id, mode, key)
) WITHOUT ROWID;
