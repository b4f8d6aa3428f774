CREATE TABLE IF NOT EXISTS inbox (
  id INTEGER PRIMARY KEY, payment_id TEXT, live INTEGER, event TEXT, variant TEXT, body BLOB,
  done INTEGER DEFAULT 0, UNIQUE (payment_id, live, event, variant)
);
CREATE INDEX IF NOT EXISTS pending ON inbox (done) WHERE done = 0;
CREATE TABLE IF NOT EXISTS effect (
  payment_id TEXT, live INTEGER, effect TEXT, event TEXT, amount TEXT, currency TEXT,
  PRIMARY KEY (payment_id, live, effect)
);
