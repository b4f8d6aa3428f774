# Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
require 'json'
require 'openssl'
require 'sinatra/base'
require 'sqlite3'

class Receiver < Sinatra::Base
  SECRET = (ENV['HOOKPROOF_SECRET'] || ENV['WEBHOOK_SECRET']).to_s
  abort 'HOOKPROOF_SECRET is not set' if SECRET.empty?
  WINDOW_SECONDS = 300
  MAX_BYTES = 1024 * 1024
  # FULL: a 200 is a promise, so the row must survive a power cut.
  SCHEMA = <<~SQL
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS inbox (id INTEGER PRIMARY KEY, payment_id TEXT, live INTEGER, event TEXT,
      variant TEXT, body BLOB, done INTEGER DEFAULT 0, UNIQUE (payment_id, live, event, variant));
    CREATE INDEX IF NOT EXISTS pending ON inbox (done) WHERE done = 0;
    CREATE TABLE IF NOT EXISTS effect (payment_id TEXT, live INTEGER, effect TEXT, event TEXT, amount TEXT,
      currency TEXT, PRIMARY KEY (payment_id, live, effect));
  SQL
  STORE = <<~SQL.freeze
    INSERT INTO inbox (payment_id, live, event, variant, body) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING RETURNING id
  SQL
  MONEY = /\A(?=.*[1-9])\d+(\.\d+)?\z/ # Any other amount is an anomaly for people to look at.
  # Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
  ADD = <<~SQL.freeze
    INSERT INTO effect SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE ?3 = 'reversed'
    OR NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2) ON CONFLICT DO NOTHING
  SQL

  # All threads share one connection, and a transaction must not contain the statements of another thread.
  LOCK = Mutex.new
  DATABASE = SQLite3::Database.new(ENV.fetch('DATABASE', 'webhooks.sqlite'))
  DATABASE.busy_timeout = 10_000
  DATABASE.execute_batch(SCHEMA)
  STORED = Queue.new

  class << self
    def sql(...)
      LOCK.synchronize { DATABASE.execute(...) }
    end

    # The event of a verified body, and the key that its redeliveries share; nil if it is not an event.
    def parse(body)
      # Ruby refuses half a surrogate pair, which JavaScript writes when it cuts a text. It matters only in the metadata.
      event = JSON.parse(body) rescue JSON.parse(body.gsub(/\\ud[89a-f]../i, '\ufffd'))
      name = event['event'] || (event['test'] == true ? "payment.#{event['status']}" : nil)
      id = event['payment_id'] || event['id']
      return unless [name, id].all? { |text| text.is_a?(String) && !text.empty? }

      # One payment can be partly paid several times, and both refunded and charged back.
      variant = event[{ 'payment.partial' => 'amount_received', 'payment.refunded' => 'type' }[name]]
      live = event.fetch('livemode', true) == true && event['test'] != true # Older events lack livemode and are live.
      [event, [id, live ? 1 : 0, name, variant.to_json]]
    rescue JSON::ParserError, TypeError, NoMethodError
      nil
    end

    # Does the work of a stored event and marks it as done, in one transaction.
    def handle(row)
      body, = sql('SELECT body FROM inbox WHERE id = ? AND done = 0', [row]).first
      event, (id, live, name) = parse(body) if body
      LOCK.synchronize do
        DATABASE.transaction do
          amount, currency = event.values_at('amount', 'currency').map { _1.is_a?(String) ? _1 : _1.class.name }
          completed = amount.match?(MONEY) ? 'fulfilled' : 'anomaly'
          effect = { 'payment.completed' => completed, 'payment.refunded' => 'reversed' }[name]
          DATABASE.execute(ADD, [id, live, effect, name, amount, currency]) if effect
          DATABASE.execute('UPDATE inbox SET done = 1 WHERE id = ?', [row])
        end
      end if event
    rescue StandardError => e
      warn "event #{row} stays pending: #{e.message}"
    end
  end

  Thread.new { loop { handle(STORED.pop) } }
  # What an earlier process left behind, and what failed. An error, such as a locked database, must not end the thread.
  Thread.new do
    loop do
      sql('SELECT id FROM inbox WHERE done = 0').flatten.each { |row| STORED << row } rescue warn $!.message
      sleep 60
    end
  end

  disable :show_exceptions, :raise_errors, :protection # The signature protects this route.

  # Sinatra parses the body of a form before it calls the route. These are never forms.
  def call(env) = super(env.merge('CONTENT_TYPE' => 'application/json'))

  post '/webhooks' do
    body = request.body.read(MAX_BYTES + 1).to_s # The raw bytes, which `params` does not have.
    halt 413, 'the body is too large' if body.bytesize > MAX_BYTES
    verify(request.get_header('HTTP_X_SERVICE_SIGNATURE').to_s.b, body)
    _, key = self.class.parse(body) || halt(400, 'the body is not an event')
    self.class.sql(STORE, [*key, SQLite3::Blob.new(body)]).flatten.each { |row| STORED << row }
    'received'
  end

  error SQLite3::Exception do |error|
    warn error.message
    halt 503, 'try again later'
  end

  # Halts with 400 or 401 unless the header signs these bytes.
  def verify(header, body)
    values = ->(label) { header.split(',').select { _1.start_with?(label) }.map { _1.delete_prefix(label) } }
    times = values['t=']
    signatures = values['v1='].reject(&:empty?) # More than one while a secret is rotated.
    valid = times.one? && times[0].match?(/\A\d{1,12}\z/) && signatures.any?
    halt 400, 'the signature header needs one t, in seconds, and a v1' unless valid
    halt 400, 't is more than 5 minutes from now' if (Time.now.to_i - times[0].to_i).abs > WINDOW_SECONDS
    expected = OpenSSL::HMAC.hexdigest('SHA256', SECRET, "#{times[0]}.".b + body)
    matching = signatures.any? { |given| OpenSSL.secure_compare(expected, given) }
    halt 401, 'the signature is wrong' unless matching
  end
end
